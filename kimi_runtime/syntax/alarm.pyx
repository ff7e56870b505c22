"""The alarm that ends compilations of guests; see the header file."""
