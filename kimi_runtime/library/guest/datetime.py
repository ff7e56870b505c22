"""Dates and times."""
import _datetime
from _datetime import *

__doc__ = _datetime.__doc__
__all__ = ("date", "datetime", "time", "timedelta", "timezone", "tzinfo", "MINYEAR", "MAXYEAR", "UTC")
