"""Known texts are added to a case that is there, and authors are candidates or the population."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from forensia import cli
from forensia.case import Case, CaseDamaged, CaseRefused
from forensia.case.documents import ADDED
from forensia.case.session import is_outdated
from forensia.case.verify import stale_warnings
from forensia.corpus import Corpus, ProblemError, ReadOptions, Role, read_corpus
from forensia.corpus.cleaning import Step
from forensia.corpus.typing import canonical
from forensia.errors import Cancelled, ForensiaError
from forensia.evidence.knowntexts import Texts
from forensia.gui import snapshot
from forensia.language.analysis import Analysis
from forensia.profile import Effort, profile_named
from forensia.service import training
from forensia.service.importing import add_texts, import_corpus
from forensia.service.training import train_case, validate_case
from forensia.service.verifying import verify
from forensia.systems.pairmodel import TrainingOptions

Write = Callable[..., Path]
QUICK = TrainingOptions(profile_named("forensic", Effort(folds=5, shortest=200, resamples=80)), families=("words",))


@pytest.fixture
def write(tmp_path: Path, samples: ModuleType) -> Write:
    """A folder with some texts: author, name and the seed of each, which makes its words."""

    def write(name: str, *texts: tuple[str, str, int]) -> Path:
        for author, title, seed in texts:
            place = tmp_path / name / author / f"{title}.txt"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(samples.prose(seed, 300), "utf-8")
        return tmp_path / name

    return write


@pytest.fixture
def known(write: Write) -> Path:
    return write(
        "known",
        *((author, f"{number}", 2 * number + (author == "Bob")) for author in ("Ann", "Bob") for number in range(6)),
    )


@pytest.fixture
def case(tmp_path: Path, known: Path) -> Case:
    case = Case.create(tmp_path / "a.forensia")
    import_corpus(case, known, ReadOptions())
    return case


@pytest.fixture(scope="module")
def six(ten_authors: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Six authors with four texts of each, and one more text of two of them."""
    known, new = tmp_path_factory.mktemp("six"), tmp_path_factory.mktemp("new")
    for number, author in enumerate(sorted(ten_authors.iterdir())[:6]):
        shutil.copytree(author, known / author.name)
        more = min((known / author.name / "letters").iterdir())
        if number < 2:
            (new / author.name).mkdir()
            shutil.copy(more, new / author.name)
        more.unlink()
    return known, new


@pytest.fixture(scope="module")
def new(six: tuple[Path, Path]) -> Path:
    return six[1]


@pytest.fixture(scope="module")
def trained(six: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("trained") / "trained.forensia"
    with Case.create(place) as case:
        import_corpus(case, six[0], ReadOptions())
        train_case(case, QUICK)
    return place


def paths(case: Case) -> dict[str, tuple[str, Role]]:
    return {each.path: (each.author, each.role) for each in case.documents.known()}


def now(case: Case) -> Corpus:
    corpus = case.documents.corpus()
    assert corpus is not None
    return corpus


def test_added_texts_are_there_as_if_read_together(case: Case, write: Write, known: Path, tmp_path: Path) -> None:
    added = add_texts(case, write("more", ("Ann", "new", 20), ("Cid", "first", 21)), ReadOptions())
    assert {each.path for each in added.documents} == {"Ann/new.txt", "Cid/first.txt"}
    assert now(case).authors == now(case).candidates == ("Ann", "Bob", "Cid") and len(now(case)) == 14
    for place in ("Ann", "Cid"):
        shutil.copytree(tmp_path / "more" / place, known / place, dirs_exist_ok=True)
    together = read_corpus(known, thorough=True)
    assert now(case).fingerprint == together.fingerprint
    assert [each.id for each in now(case).documents] == [each.id for each in together.documents]
    assert {each.code for each in case.documents.problems()} == {each.code for each in together.problems}


def test_the_log_has_one_entry_that_says_what_was_added(case: Case, write: Write) -> None:
    new = add_texts(case, write("more", ("Cid", "first", 21)), ReadOptions(layout="authors"), Role.POPULATION).new
    (entry,) = [entry for entry in case.log.entries() if entry.event == ADDED]
    assert entry.data == {
        "documents": list(new),
        "authors": ["Cid"],
        "role": "population",
        "layout": "authors",
        "reading": ReadOptions(layout="authors").to_json(),
    }
    assert not case.log.faults()


def test_a_population_is_not_among_the_candidates(case: Case, write: Write) -> None:
    before = (case.documents.basis(), now(case).fingerprint)
    add_texts(case, write("others", ("Dora", "x", 30), ("Ed", "y", 31)), ReadOptions(), Role.POPULATION)
    assert now(case).candidates == ("Ann", "Bob") and now(case).authors == ("Ann", "Bob", "Dora", "Ed")
    assert (case.documents.basis(), now(case).fingerprint) != before
    codes = {each.code for each in case.documents.problems()}
    assert codes.isdisjoint({"single-document", "unequal-counts"}), "these are about those who are ranked"


def test_choices_and_reasons_stay(case: Case, write: Write) -> None:
    one, two, three, four = [each.id for each in case.documents.known()][:4]
    case.choices.exclude([one], "wrong genre")
    case.choices.set_sources({two: ["letters"]}, "as she said")
    case.choices.set_sources({three: ["diary"]})
    case.choices.reassign([four], "Zoe")
    held = (
        now(case).excluded,
        case.documents.chosen_sources(),
        {each.id: each.author for each in case.documents.known()},
    )
    new = add_texts(case, write("more", ("Cid", "first", 21)), ReadOptions()).new
    after = {each.id: each.author for each in case.documents.known() if each.id not in new}
    assert (now(case).excluded, case.documents.chosen_sources(), after) == held
    assert case.documents.chosen_sources()[two].because == "as she said"


def test_copies_between_old_and_new_are_found(case: Case, write: Write, samples: ModuleType, tmp_path: Path) -> None:
    more = write("more", ("Ann", "copy", 0), ("Ann", "near", 2), ("Cid", "stolen", 1))
    (more / "Ann" / "near.txt").write_text(samples.prose(2, 300) + " One more sentence at the end.", "utf-8")
    add_texts(case, more, ReadOptions())
    found = {each.code: each for each in case.documents.problems()}
    assert {"duplicate", "near-duplicate-same-author", "same-text-two-authors"} <= found.keys()
    assert set(found["same-text-two-authors"].values["authors"]) == {"Bob", "Cid"}  # type: ignore[arg-type]
    (left_out,) = now(case).excluded
    assert now(case).by_id[left_out].path in ("Ann/copy.txt", "Ann/0.txt")
    with pytest.raises(ProblemError, match="same-text-two-authors"):
        train_case(case, QUICK)


def test_one_author_with_two_roles_is_refused_and_nothing_changes(case: Case, write: Write, known: Path) -> None:
    before = (case.documents.basis(), case.documents.imports(), len(case.log.entries()))
    copy = write("copy", ("Ann", "0", 0))
    for folder in (write("others", ("Bob", "diary", 40), ("Ed", "y", 31)), copy):
        with pytest.raises(ProblemError, match="two-roles"):
            add_texts(case, folder, ReadOptions(), Role.POPULATION)
    assert (case.documents.basis(), case.documents.imports(), len(case.log.entries())) == before
    assert add_texts(case, copy, ReadOptions()).new == (), "the same text at the same place is there already"


def test_the_same_text_at_the_same_place_by_somebody_else_is_refused(
    case: Case, tmp_path: Path, samples: ModuleType
) -> None:
    texts = [samples.prose(70, 50), samples.prose(71, 50)]
    for folder, names in (("one", ("Cid", "Dan")), ("two", ("Eva", "Dan"))):
        (tmp_path / folder).mkdir()
        rows = "".join(f"{name}\t{text}\n" for name, text in zip(names, texts, strict=True))
        (tmp_path / folder / "t.tsv").write_text(f"author\ttext\n{rows}", "utf-8")
    add_texts(case, tmp_path / "one", ReadOptions())
    with pytest.raises(ProblemError, match="same-text-two-authors"):
        add_texts(case, tmp_path / "two", ReadOptions())
    assert "Eva" not in now(case).authors


def test_a_reassigned_text_can_bring_two_roles_together(case: Case, write: Write) -> None:
    (new,) = add_texts(case, write("others", ("Ed", "y", 31)), ReadOptions(), Role.POPULATION).new
    case.choices.reassign([new], "Ann")
    with pytest.raises(ProblemError, match="two-roles"):
        train_case(case, QUICK)
    case.choices.set_role(["Ann"], Role.CANDIDATE)
    assert {each.role for each in case.documents.known()} == {Role.CANDIDATE}
    case.choices.undo()
    assert case.documents.get(new).role is Role.POPULATION


def test_a_role_is_changed_taken_back_and_made_again(case: Case) -> None:
    before, entries = case.documents.basis(), len(case.log.entries())
    change = case.choices.set_role(["Bob"], Role.POPULATION)
    assert change is not None and change.label == "Change the role of 1 author" and len(change.names) == 6
    assert now(case).candidates == ("Ann",) and case.documents.basis() != before
    assert case.log.entries()[-1].event == "roles changed" and len(case.log.entries()) == entries + 1
    assert case.choices.set_role(["Bob"], Role.POPULATION) is None
    case.choices.undo()
    assert now(case).candidates == ("Ann", "Bob") and case.documents.basis() == before
    case.choices.redo()
    assert now(case).candidates == ("Ann",)
    case.choices.set_role(["Bob"], Role.CANDIDATE)
    assert case.documents.basis() == before
    for authors, role in ((["Nobody"], Role.POPULATION), (["Ann"], Role.DISPUTED)):
        with pytest.raises(CaseRefused):
            case.choices.set_role(authors, role)
    case.choices.set_role(["Ann", "Bob"], Role.POPULATION)
    with pytest.raises(ProblemError, match="one-author"):
        train_case(case, QUICK)


def test_roles_hold_on_when_texts_are_read_again(case: Case, known: Path) -> None:
    case.choices.set_role(["Bob"], Role.POPULATION)
    import_corpus(case, known, ReadOptions(language="de"))
    assert now(case).candidates == ("Ann",)


def test_files_are_looked_for_where_they_were(case: Case, write: Write, known: Path) -> None:
    more = write("more", ("Ann", "0", 50), ("Cid", "first", 21))  # Ann/0.txt is in both folders, with other words
    add_texts(case, more, ReadOptions())
    assert len(now(case)) == 14 and stale_warnings(case) == []
    (more / "Cid" / "first.txt").write_text("Another text.", "utf-8")
    (warning,) = stale_warnings(case)
    assert "'Cid/first.txt'" in warning and "'Ann/0.txt'" not in warning


def test_each_folder_is_read_again_alone(case: Case, write: Write, known: Path, tmp_path: Path) -> None:
    more = write("more", ("Cid", "first", 21), ("Cid", "second", 22))
    (more / "Cid" / "broken.pdf").write_bytes(b"no PDF")
    add_texts(case, more, ReadOptions(), Role.POPULATION)
    (broken,) = [each for each in case.documents.problems() if each.file == "Cid/broken.pdf"]
    write("known", ("Ann", "later", 60))
    import_corpus(case, known, ReadOptions(steps=(Step.SIGNATURES,)))
    assert len(now(case)) == 15 and now(case).candidates == ("Ann", "Bob") and broken in case.documents.problems()
    assert [each.reading.steps for each in case.documents.imports()] == [(Step.SIGNATURES,), ()]
    (more / "Cid" / "broken.pdf").unlink()
    (more / "Cid" / "second.txt").unlink()
    added = add_texts(case, write("more", ("Cid", "third", 23)), ReadOptions(layout="authors"), Role.POPULATION)
    assert {each.path for each in added.documents} == {"Cid/third.txt"} and broken not in case.documents.problems()
    assert {path for path, (author, _) in paths(case).items() if author == "Cid"} == {"Cid/first.txt", "Cid/third.txt"}
    assert [(each.root, each.role) for each in case.documents.imports()] == [
        (str(known), Role.CANDIDATE),
        (str(more), Role.POPULATION),
    ]
    other = write("other", ("Fay", "1", 80), ("Gus", "1", 81))
    import_corpus(case, other, ReadOptions())
    assert now(case).authors == ("Fay", "Gus") and len(case.documents.imports()) == 1, (
        "another folder takes the place of all"
    )


def test_tables_that_lie_in_one_folder_are_told_apart(tmp_path: Path, samples: ModuleType) -> None:
    place = tmp_path / "tables"
    place.mkdir()
    for number, (name, authors) in enumerate({"a": ("Ann", "Bob"), "b": ("Cid", "Dan"), "c": ("Eva", "Fay")}.items()):
        rows = "".join(f"{author}\t{samples.prose(10 * number + len(author), 60)}\n" for author in authors)
        (place / f"{name}.tsv").write_text(f"author\ttext\n{rows}", "utf-8")
    with Case.create(tmp_path / "b.forensia") as case:
        import_corpus(case, place / "a.tsv", ReadOptions())
        for name in ("b", "c"):
            add_texts(case, place / f"{name}.tsv", ReadOptions(), Role.POPULATION)
        assert now(case).candidates == ("Ann", "Bob") and len(now(case).authors) == 6 and stale_warnings(case) == []
        (place / "b.tsv").write_text(f"author\ttext\nGus\t{samples.prose(77, 60)}\n", "utf-8")
        add_texts(case, place / "b.tsv", ReadOptions(), Role.POPULATION)
        assert now(case).authors == ("Ann", "Bob", "Eva", "Fay", "Gus")
        again = Path(snapshot.take(case).root)
        assert again == place / "a.tsv", "the window reads the table again, not the folder"
        import_corpus(case, again, ReadOptions(language="de"))
        assert len(case.documents.imports()) == 3 and len(now(case).authors) == 5


def test_an_older_case_has_candidates_and_one_import(case: Case, known: Path) -> None:
    with case.database.step():
        for name, record in case.database.all("known").items():
            case.database.put("known", name, {key: each for key, each in record.items() if key not in ("role", "root")})
        head = case.database.get("corpus", "known")
        assert head is not None
        case.database.put("corpus", "known", {key: each for key, each in head.items() if key not in ("role", "added")})
        case.log.note("made older")
    assert now(case).candidates == ("Ann", "Bob")
    assert [(each.root, each.role, each.reading) for each in case.documents.imports()] == [
        (str(known), Role.CANDIDATE, ReadOptions())
    ]


@pytest.mark.parametrize(
    "damage",
    [
        {"added": [{"root": 3}]},
        {"added": "everything"},
        {"added": [{"root": "/", "layout": "authors", "problems": [], "reading": {}, "role": "population"}]},
        {"role": "disputed"},
        {"role": "judge"},
    ],
)
def test_imports_of_strangers(case: Case, damage: dict[str, object]) -> None:
    with case.database.step():
        head = case.database.get("corpus", "known")
        assert head is not None
        case.database.put("corpus", "known", {**head, **damage})
        case.log.note("made worse")
    with pytest.raises(CaseDamaged):
        case.documents.imports()


@pytest.mark.parametrize("role", ["disputed", "judge", 3])
def test_roles_of_strangers(case: Case, role: object) -> None:
    name = case.documents.known()[0].id
    with case.database.step():
        case.database.put("choice", "roles", {name: role})
        case.log.note("made worse")
    with pytest.raises(CaseDamaged):
        case.documents.known()


def test_a_case_without_texts_and_folders_that_cannot_be_read(case: Case, tmp_path: Path, write: Write) -> None:
    with Case.create(tmp_path / "empty.forensia") as empty, pytest.raises(CaseRefused, match="Import some first"):
        add_texts(empty, write("more", ("Cid", "first", 21)), ReadOptions())
    (tmp_path / "nothing").mkdir()
    (tmp_path / "noise").mkdir()
    (tmp_path / "noise" / "table.csv").write_bytes(b"author,text\nAnn,\xff\xfe\x00\n" + bytes(range(256)))
    before = (case.documents.basis(), case.documents.imports(), len(case.log.entries()))
    for folder in ("nothing", "noise", "not there"):
        with pytest.raises(ForensiaError):
            add_texts(case, tmp_path / folder, ReadOptions())
    with pytest.raises(ForensiaError):
        add_texts(case, tmp_path / "more", ReadOptions(sources="("))
    assert (case.documents.basis(), case.documents.imports(), len(case.log.entries())) == before


def test_one_author_can_be_read_and_waits_for_others(tmp_path: Path, write: Write) -> None:
    with Case.create(tmp_path / "b.forensia") as case:
        import_corpus(case, write("one", ("Ann", "1", 1), ("Ann", "2", 2)), ReadOptions())
        with pytest.raises(ProblemError, match="one-author"):
            train_case(case, QUICK)
        add_texts(case, write("others", ("Dora", "x", 30), ("Ed", "y", 31)), ReadOptions(), Role.POPULATION)
        assert not now(case).blocking and now(case).candidates == ("Ann",)


def test_what_was_trained_is_outdated_verifies_and_is_trained_anew_from_what_was_read(
    trained: Path, new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(trained, tmp_path / "b.forensia")
    with Case.open(tmp_path / "b.forensia") as case:
        added = add_texts(case, new, ReadOptions()).documents
        assert len(added) == 2 and is_outdated(case)
        case.choices.set_role(now(case).authors[:1], Role.POPULATION)
        found = verify(case)
        assert found.differences == () and set(found.arrays) >= {"fused", "model"}, "as it was before texts were added"
        assert any("The model is outdated" in note for note in found.notes)
        read: list[str] = []
        analysing = import_module("forensia.language.analysis")  # the room has a function of this name
        real = analysing._analyses

        def counted(texts: list[str], *given: Any) -> Iterator[Analysis]:
            read.extend(texts)
            yield from real(texts, *given)

        monkeypatch.setattr(analysing, "_analyses", counted)
        told = validate_case(case)
        assert told.documents == 26 and not is_outdated(case)
        assert sorted(read) == sorted(canonical(each.text).text for each in added), "the others were read before"


def test_the_commands(trained: Path, write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = shutil.copy(trained, tmp_path / "b.forensia")
    more, out = write("more", ("Ed", "x", 40), ("Ed", "y", 41), ("Fay", "x", 42)), tmp_path / "added.json"
    assert cli.run(["add", str(place), str(more), "--population", "--sources", "each"]) == 1
    assert "Say with --because" in capsys.readouterr().err
    command = ["add", str(place), str(more), "--population", "--json", str(out)]
    assert cli.run([*command, "--sources", "each", "--because", "three years"]) == 0
    told = capsys.readouterr().err
    assert "Added 3 documents by 2 authors as the population." in told
    assert "26 documents" not in told and "27 documents by 6 candidates and 2 authors of the population" in told
    assert f"`forensia validate {place}` trains it anew" in told
    found = json.loads(out.read_text("utf-8"))
    assert (found["documents"], found["authors"], len(found["candidates"]), found["outdated"]) == (27, 8, 6, True)
    assert {(each["file"], each["author"]) for each in found["added"]} == {
        ("Ed/x.txt", "Ed"), ("Ed/y.txt", "Ed"), ("Fay/x.txt", "Fay"),
    }  # fmt: skip
    with Case.open(place) as case:
        assert {each.because for each in case.documents.chosen_sources().values()} == {"three years"}
        author = now(case).candidates[0]
    assert cli.run(["add", str(place), str(write("wrong", (author, "z", 50))), "--population"]) == 1
    assert f"Both among the candidates and in the population: '{author}'" in capsys.readouterr().err


def test_training_with_a_population(
    known: Path, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found: list[Corpus] = []

    def stop(case: Case, *_: object, **__: object) -> Texts:
        found.append(now(case))
        raise Cancelled

    monkeypatch.setattr(training, "train_case", stop)
    others = write("others", ("Dora", "x", 30), ("Ed", "y", 31))
    command = [
        "train",
        str(known),
        "--population",
        str(others),
        "-o",
        str(tmp_path / "b.forensia"),
        "--layout",
        "authors",
    ]
    assert cli.run([*command, "--segment", "100"]) == 130
    (corpus,) = found
    assert corpus.candidates == ("Ann", "Bob") and {"Dora", "Ed"} < set(corpus.authors)
    assert {each.segment for each in corpus.documents if each.author == "Dora"} >= {1, 2}, (
        "cut as the candidates' texts"
    )
    assert "2 candidates and 2 authors of the population" in capsys.readouterr().err
