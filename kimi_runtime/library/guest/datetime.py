"""Dates and times."""
from _datetime import *
from _datetime import __doc__

__all__ = ("date", "datetime", "time", "timedelta", "timezone", "tzinfo", "MINYEAR", "MAXYEAR", "UTC")
