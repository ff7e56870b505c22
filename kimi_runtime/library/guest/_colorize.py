"""Texts of a guest have no colours: nobody knows whether a terminal will show them."""

COLORIZE = False


class ANSIColors:
    BOLD_GREEN = BOLD_MAGENTA = BOLD_RED = GREEN = GREY = MAGENTA = RED = RESET = YELLOW = ""


NoColors = ANSIColors()


def get_colors(colorize=False):
    return NoColors


def can_colorize(*arguments, **keywords):
    return False
