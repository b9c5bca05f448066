"""Walking a folder that nobody trusts."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus import walking
from forensia.corpus.walking import Entry, TooLarge, Unreadable, place_of, read_bytes, shown, similar, walk
from forensia.errors import Cancelled, InputError
from forensia.wording.problems import message, next_step, worded


def codes(listing: walking.Listing) -> dict[str, str]:
    return {problem.file: problem.code for problem in listing.problems}


def names(listing: walking.Listing) -> list[str]:
    return [entry.relative for entry in listing.entries]


def test_finds_files_in_the_order_of_their_names(folder) -> None:
    root = folder({"b/two.txt": "2", "a/deep/er/one.txt": "1", "c.txt": "3"})
    listing = walk(root)
    assert names(listing) == ["a/deep/er/one.txt", "b/two.txt", "c.txt"]
    assert [entry.relative for entry in listing.top] == ["c.txt"]
    assert not listing.problems


def test_droppings_are_ignored_in_silence(folder) -> None:
    root = folder(
        dict.fromkeys(
            (".DS_Store", "Thumbs.db", "a/~$letter.docx", ".git/config", "__MACOSX/a/b", "a/desktop.ini"), "x"
        )
    )
    (root / "a" / "letter.txt").write_text("x")
    listing = walk(root)
    assert names(listing) == ["a/letter.txt"]
    assert not listing.problems


def test_a_single_file_is_a_listing_of_one(folder) -> None:
    root = folder({"table.csv": "x"})
    listing = walk(root / "table.csv")
    assert listing.single
    assert listing.root == str(root.resolve())
    assert names(listing) == ["table.csv"]


@pytest.mark.parametrize("path", ["missing", "nul\0byte"])
def test_what_is_not_there_is_a_clear_refusal(tmp_path: Path, path: str) -> None:
    with pytest.raises(Unreadable, match=r"Choose another"), worded():
        walk(tmp_path / path)


def test_a_pipe_as_corpus_is_refused_unopened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="neither a file nor a folder"), worded():
        walk(tmp_path / "pipe")


def test_links_inside_are_read_and_those_to_folders_are_not_followed(folder) -> None:
    root = folder({"a/one.txt": "1", "b/two.txt": "2"})
    (root / "b" / "copy.txt").symlink_to("../a/one.txt")
    (root / "b" / "again").symlink_to("../a")
    (root / "b" / "gone.txt").symlink_to("nowhere.txt")
    listing = walk(root)
    assert names(listing) == ["a/one.txt", "b/copy.txt", "b/two.txt"]
    assert codes(listing) == {"b/again": "symlink-folder", "b/gone.txt": "symlink-broken"}
    copy = next(entry for entry in listing.entries if entry.name == "copy.txt")
    assert read_bytes(copy.place, 10) == b"1"


def test_a_neighbour_with_the_same_beginning_is_outside(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus2").mkdir()
    (tmp_path / "corpus2" / "secret.txt").write_text("x")
    (tmp_path / "corpus" / "link.txt").symlink_to(tmp_path / "corpus2" / "secret.txt")
    listing = walk(tmp_path / "corpus")
    assert codes(listing) == {"link.txt": "symlink-outside"}
    assert not listing.entries


def test_a_folder_that_cannot_be_opened_is_listed(folder, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder({"a/one.txt": "1", "closed/two.txt": "2"})
    scandir = os.scandir

    def refusing(path: str):
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    listing = walk(root)
    assert names(listing) == ["a/one.txt"]
    assert codes(listing) == {"closed": "unreadable"}
    assert "Permission denied" in message(listing.problems[0])


def test_depth_ends_somewhere(folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "MAX_DEPTH", 3)
    root = folder({"a/b/c/near.txt": "1", "a/b/c/d/far.txt": "2"})
    listing = walk(root)
    assert names(listing) == ["a/b/c/near.txt"]
    assert codes(listing) == {"a/b/c/d": "too-deep"}


def test_too_many_files_are_refused(folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "MAX_FILES", 3)
    with pytest.raises(InputError, match="more than 3 files"):
        walk(folder({f"a/{number}.txt": "" for number in range(5)}))


def test_the_walk_can_be_stopped(folder) -> None:
    root = folder({f"a/{number}.txt": "" for number in range(walking._REPORT_EVERY * 3)})
    calls = []

    def stop(fraction: float, message: str = "") -> None:
        calls.append(message)
        if len(calls) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        walk(root, stop)


@given(st.lists(st.text(st.characters(exclude_characters="/\0"), min_size=1), min_size=2, max_size=2, unique=True))
def test_shown_names_stay_distinct_and_lead_back(pair: list[str]) -> None:
    one, other = pair
    assert shown(one) != shown(other)
    for name in pair:
        assert place_of("/root", shown(name)) == f"/root/{name}"
        assert "\n" not in shown(name)


@given(st.binary(min_size=1).filter(lambda name: b"/" not in name and b"\0" not in name))
def test_any_name_of_a_file_can_be_stored(raw: bytes) -> None:
    name = os.fsdecode(raw)
    assert os.fsencode(place_of("/", shown(name))) == b"/" + raw
    shown(name).encode("utf-8")


def test_similar_names() -> None:
    composed, decomposed = unicodedata.normalize("NFC", "José"), unicodedata.normalize("NFD", "José")
    assert list(similar(["Anna", "anna", "Bert", composed, decomposed])) == [
        ("Anna", "anna"),
        tuple(sorted((composed, decomposed))),
    ]
    assert list(similar(["Anna", "Anne"])) == []


def test_parts_of_a_name() -> None:
    entry = Entry("Author/book/The End.final.TXT", "")
    assert (entry.parts, entry.name) == (("Author", "book", "The End.final.TXT"), "The End.final.TXT")
    assert (entry.stem, entry.suffix) == ("The End.final", ".txt")
    assert (Entry("README", "").stem, Entry("README", "").suffix) == ("README", "")


def test_reading_bytes_keeps_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(b"x" * 100)
    assert read_bytes(str(path), 100) == b"x" * 100
    with pytest.raises(TooLarge, match="100 bytes; the limit is 99"), worded():
        read_bytes(str(path), 99)


def test_a_file_that_grows_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(b"x" * 100)
    read = os.read
    monkeypatch.setattr(os, "read", lambda handle, count: read(handle, min(count, 30)))
    assert read_bytes(str(path), 100) == b"x" * 100
    with pytest.raises(TooLarge):
        walking._read_on(os.open(path, os.O_RDONLY), b"", 50)


def test_a_pipe_put_in_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "text.txt")
    with pytest.raises(Unreadable, match="no ordinary file"), worded():
        read_bytes(str(tmp_path / "text.txt"), 10)


def test_a_link_put_in_place_of_a_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "text.txt").symlink_to("secret.txt")
    with pytest.raises(Unreadable):
        read_bytes(str(tmp_path / "text.txt"), 10)


def test_a_missing_file_is_a_problem_with_a_next_step(tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as caught:
        read_bytes(str(tmp_path / "gone.txt"), 10)
    problem = caught.value.about("gone.txt")
    assert problem.code == "unreadable"
    assert "gone.txt" in message(problem)
    assert next_step(problem)
