"""Work that takes longer than a turn of the event loop, done beside it where there are threads."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")


async def beside(work: Callable[[], Value]) -> Value:
    """Return what `work` returns. In a thread everybody else is answered meanwhile; inside Pyodide there is none."""
    if sys.platform == "emscripten":
        await asyncio.sleep(0)
        return work()
    return await asyncio.to_thread(work)
