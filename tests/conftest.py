"""What holds for all tests."""

from __future__ import annotations

import gc

gc.disable()  # until all is collected


def pytest_collection_finish() -> None:
    """Leave what has been imported and collected out of garbage collection: it stays, and is millions of objects."""
    gc.collect()
    gc.freeze()
    gc.enable()
