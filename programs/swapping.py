"""Putting a finished folder in another's place, so that nobody sees a moment without one."""

import ctypes
import errno
import os
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

_HERE = -100  # AT_FDCWD
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2(2), RENAME_SWAP of renamex_np(2)
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM)


def put_in_place(made: Path, place: Path) -> None:
    """Renames `made` to `place`. What was there is then at `made`, or gone, for the caller to remove.

    Where the system can exchange two names (Linux, macOS), there is no moment without a folder; elsewhere it is short,
    and a failure puts the old one back.
    """
    made.chmod(0o755)
    try:
        os.rename(made, place)  # also replaces an empty folder
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR, errno.EACCES):
            raise
        if not _exchanged(made, place):
            _moved(made, place)


def _moved(made: Path, place: Path) -> None:
    with tempfile.TemporaryDirectory(prefix=f".{place.name}.", dir=place.parent, ignore_cleanup_errors=True) as aside:
        os.rename(place, Path(aside, place.name))
        try:
            os.rename(made, place)
        except OSError:
            os.rename(Path(aside, place.name), place)
            raise


def _exchanged(one: Path, other: Path) -> bool:
    """Whether the system could exchange the two."""
    if (call := _exchange()) is None or call(os.fsencode(one), os.fsencode(other)) == 0:
        return call is not None
    if (number := ctypes.get_errno()) in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(other))


@lru_cache(maxsize=1)
def _exchange() -> Any:
    """A function of two paths that exchanges them (0 where it did), or None where the system has none."""
    if sys.platform not in ("linux", "darwin"):
        return None
    library = ctypes.CDLL(None, use_errno=True)
    if hasattr(library, "renameat2"):
        return lambda one, other: library.renameat2(_HERE, one, _HERE, other, _EXCHANGE)
    if hasattr(library, "renamex_np"):
        return lambda one, other: library.renamex_np(one, other, _EXCHANGE)
    return None
