"""Diagnostics before a program runs: see ``kimi_runtime.check``."""
