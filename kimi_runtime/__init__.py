"""An embeddable Python interpreter with its own parser, compiler and register VM."""
