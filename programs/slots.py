"""Which of llama.cpp's slots answers: a prompt's static part is evaluated once, and copied to the other slots."""

import json
import logging
import tempfile
import threading
import urllib.error
import urllib.request
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_KEPT = 32
"""States kept on disk, about 28 kB a token of the default model; the oldest goes first."""
_LOG = logging.getLogger(__name__)


class Slots:
    """Hands out the slots of one server, so that a call finds its static prefix evaluated.

    The first call with a prefix evaluates it alone while others with the same prefix wait; its state is then saved,
    and a slot that held another prefix takes it over in milliseconds.

    Args:
        address: where the server listens on loopback.
        key: its key.
        count: how many slots it has.
    """

    def __init__(self, address: str, key: str, folder: "tempfile.TemporaryDirectory[str]", count: int) -> None:
        self._address, self._key, self._folder = address, key, folder
        self._free = list(range(count))
        self._holds: dict[int, str] = {}
        self._saved: OrderedDict[str, None] = OrderedDict()
        self._warming: set[str] = set()
        self._changed = threading.Condition()

    @contextmanager
    def slot(self, prefix: str) -> Iterator[int]:
        """A slot for one call whose static part is called `prefix`; waits until one is free."""
        number, first = self._acquire(prefix)
        try:
            if self._holds.get(number) != prefix and not first:
                self._move(number, "restore", prefix)
            yield number
            self._holds[number] = prefix
            if first and self._move(number, "save", prefix):
                self._remember(prefix)
        finally:
            with self._changed:
                self._free.append(number)
                self._warming.discard(prefix) if first else None
                self._changed.notify_all()

    def _acquire(self, prefix: str) -> tuple[int, bool]:
        with self._changed:
            self._changed.wait_for(lambda: self._free and prefix not in self._warming)
            number = next((slot for slot in self._free if self._holds.get(slot) == prefix), self._free[0])
            self._free.remove(number)
            first = prefix not in self._saved
            if first:
                self._warming.add(prefix)
            else:
                self._saved.move_to_end(prefix)
            return number, first

    def _remember(self, prefix: str) -> None:
        with self._changed:
            self._saved[prefix] = None
            if len(self._saved) > _KEPT:
                oldest, _ = self._saved.popitem(last=False)
                (Path(self._folder.name) / oldest).unlink(missing_ok=True)

    def _move(self, number: int, action: str, prefix: str) -> bool:
        """Saves or restores a slot's state; a failure costs speed only, so it is logged and the call goes on."""
        request = urllib.request.Request(
            f"{self._address}/slots/{number}?action={action}",
            data=json.dumps({"filename": prefix}).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"},
        )
        try:
            with _DIRECT.open(request, timeout=30) as answer:
                return bool(json.load(answer))
        except (urllib.error.URLError, TimeoutError, ValueError) as error:
            _LOG.warning("cannot %s a prompt state: %s", action, error)
            return False


_DIRECT: Any = urllib.request.build_opener(urllib.request.ProxyHandler({}))
