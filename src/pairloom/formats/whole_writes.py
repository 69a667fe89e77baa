"""Writing bytes to a stream that may take only a part of what it is given."""

from __future__ import annotations

import errno
import os
from typing import BinaryIO


def write_all(file: BinaryIO, data: bytes | memoryview) -> None:
    """Write all of `data`. Without a buffer (`python -u`, PYTHONUNBUFFERED) standard output may take only a part of it.

    Raises:
        OSError: the disk is full, for one; what was written until then stays. BlockingIOError where the other end of a
            pipe that does not wait takes nothing now.
    """
    rest = memoryview(data)
    while rest:
        taken = file.write(rest)
        if taken is None:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        rest = rest[taken:]
