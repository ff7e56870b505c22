"""What random programs leave behind, on CPython too, is collected before other tests run: its finalizers print and raise."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture(autouse=True, scope="module")
def collected():
    yield
    gc.collect()
