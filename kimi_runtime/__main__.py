"""``python -m kimi_runtime``: the same as the command ``kimi-cli``."""
import sys

from .cli.main import main

if __name__ == "__main__":
    sys.exit(main())
