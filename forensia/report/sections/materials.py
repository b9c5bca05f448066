"""The materials: every file with its hash, so that anybody can tell whether they hold the same one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from posixpath import commonprefix

from forensia import figures
from forensia.corpus.document import Role
from forensia.evidence.population import PopulationRecord
from forensia.report.document import PdfDocument
from forensia.report.grid import Column, Group, Row, table
from forensia.report.materials import AuthorTexts, GivenSources, Text
from forensia.report.paper import Style
from forensia.report.writing import SectionWriter
from forensia.wording import conditions
from forensia.wording.templates import listed, named

_FULL = 200  # known texts up to which each has its whole hash in print
_TINY = Style(7.0, 8.8)
_SHORT = 16
_HEAD = 12.0  # of a column
_COLUMNS, _GAP = 2, 18.0  # of the short list
_USED = "*"
_AGAIN = ", continued"
_MOST_DRAWN = 60
_ROLE = {Role.POPULATION.value: " (population)"}
_SOURCES, _SOURCE = 12, 110.0  # sources of an author that are named, and how wide a name may be


def write(report: SectionWriter) -> None:
    """Materials."""
    doc, say, found = report.doc, report.say, report.found.materials
    doc.heading("Materials")
    authors = sum(1 for each in found.authors if each.documents)
    doc.paragraph(
        f"{say.count(len(found.disputed))} disputed and {say.count(found.documents)} known texts by "
        f"{say.count(authors)} author{'' if authors == 1 else 's'}, with {say.count(found.words)} words in the known texts, were examined. "
        f"{_roles(report)}SHA-256 is a fingerprint of the bytes of a file: another file practically never has the same."
    )
    _disputed(report)
    if found.population:
        _population(report)
    if found.counted is not None:
        _counted(report, found.counted)
    if 1 < len(found.candidates) <= _MOST_DRAWN:
        candidates = found.candidates
        doc.figures(
            [
                figures.by_author(
                    [each.author for each in candidates], [each.documents for each in candidates],
                    [each.words for each in candidates], report.look(3.0),
                )
            ],
            floating=True,
        )  # fmt: skip
    active = [text for text in found.known if text.excluded is None]
    doc.heading("Known texts", 1)
    if found.thinned:
        doc.paragraph(
            f"Of {listed([each.author for each in found.thinned])} those texts are held against a disputed one that are marked with "
            f"{_USED} below; a lot has drawn them. The others take part in the averages and in the methods beside the fused score."
        )
    if len(active) <= _FULL:
        _full(report, active)
    else:
        doc.paragraph(
            f"Each of the {say.count(len(active))} files is listed with its number of words and the first 16 digits of its SHA-256; the "
            "embedded results have all digits, the encoding and the size of each. A folder that all files of an author share is left "
            "out if it has the author's name, and else stands above them. The SHA-256 over all analysed texts and who wrote which is "
            f"{found.fingerprint}."
        )
        _short(report, active)
    _sources(report)
    for given in found.given_sources:
        doc.paragraph(_given(report, given))
    excluded = [text for text in found.known if text.excluded is not None]
    if excluded:
        doc.paragraph(
            f"Of {say.count(len(found.known))} known texts {say.count(len(excluded))} were left out of the model; the table says why."
        )
        table(
            doc,
            [
                Column("File", lines=2),
                Column("Author", 90, lines=2),
                Column("Why it was left out", 200, lines=3),
            ],
            [(text.file, text.author or "", text.excluded or "") for text in excluded[:_FULL]],
            caption="Known texts that were left out of the model.",
        )
    moved = [text for text in found.known if text.read_as]
    if moved:
        table(
            doc,
            [
                Column("File", lines=2),
                Column("Author as read", 120, lines=2),
                Column("Author as assigned", 120, lines=2),
            ],
            [(text.file, text.read_as or "", text.author or "") for text in moved[:_FULL]],
            caption="Texts that the analyst assigned to another author than the files said.",
        )


def _sources(report: SectionWriter) -> None:
    """What each author's texts come from, and who has one source only."""
    doc, say = report.doc, report.say
    found = report.found.materials
    if not any(each.sources for each in found.authors):
        doc.paragraph("Nobody said what the known texts come from.")
        return
    authors = [each for each in found.candidates if each.documents]
    table(
        doc,
        [
            Column("Author", 110, lines=2),
            Column("Sources", 36, "right", 1),
            Column("Which, with the number of texts", lines=6),
        ],
        [(each.author, say.count(len(each.sources)), _by_source(report, each)) for each in authors],
        caption=f"What the known texts{' of the candidates' if found.population else ''} come from. A text may have several sources.",
        style=_TINY,
    )
    alone = [each.author for each in authors if each.one_source]
    doc.paragraph(
        f"{'Candidates' if found.population else 'Authors'} with one source only: {say.count(len(alone))} of {say.count(len(authors))}"
        + (f" ({listed(alone)})." if alone else ".")
    )


def _roles(report: SectionWriter) -> str:
    """Who of the authors is a candidate."""
    found, say = report.found.materials, report.say
    if not (found.population or found.counted):
        return ""
    some = [each for each in found.candidates if each.documents]
    listed_ = listed([each.author for each in some])
    return (
        f"{'The only candidate is' if len(some) == 1 else f'The {say.count(len(some))} candidates are'} {listed_}, with "
        f"{say.count(sum(each.documents for each in some))} of the known texts; "
        f"{'the others are the reference population' if found.population else 'the reference population came as counts'}. "
    )


def _counted(report: SectionWriter, record: PopulationRecord) -> None:
    """What a population is that came as counts, as its maker has it."""
    doc, say = report.doc, report.say
    authors = len({each.author for each in record.texts})
    about = f": {record.description.rstrip('.')}" if record.description else "; whoever made it did not say what it is"
    doc.heading("The reference population", 1)
    doc.paragraph(
        f"'{record.name}'{about}. {say.count(len(record.texts))} texts by {say.count(authors)} authors who are no candidates, with "
        f"{say.count(sum(each.words for each in record.texts))} words. It came as counts of features in a file; the texts themselves were "
        "not at hand, and the embedded results have the SHA-256 of each. They stand for other people who could have written the disputed "
        "text. Whether they do, in genre, period, medium and manner of writing, is not for the program to say."
    )
    if report.found.validation is not None and (less := conditions.thinned(report.found.validation)):
        doc.paragraph(less)


def _population(report: SectionWriter) -> None:
    """What the reference population is: how many authors, texts and words, what they come from, and that nobody of it is a candidate."""
    doc, say, found = report.doc, report.say, report.found.materials
    authors = found.population
    numbers = sorted(each.documents for each in authors)
    words = sorted(text.words for text in found.known if text.role == Role.POPULATION.value and text.excluded is None)
    several = sum(1 for each in authors if len(each.sources) + (each.untold > 0) > 1)
    texts = f"{say.count(numbers[0])} texts"
    if numbers[0] < numbers[-1]:
        texts = f"between {say.count(numbers[0])} and {say.count(numbers[-1])} texts"
    doc.heading("The reference population", 1)
    doc.paragraph(
        f"{say.count(sum(numbers))} texts by {say.count(len(authors))} authors who are no candidates, with {say.count(sum(words))} words; "
        f"{texts} of each, of {say.count(words[len(words) // 2])} words in the "
        f"median. {_from(report, several)} They stand for other people who could have written the disputed text. Whether they do, in "
        "genre, period, medium and manner of writing, is not for the program to say."
    )
    if report.found.validation is not None and (less := conditions.thinned(report.found.validation)):
        doc.paragraph(less)


def _from(report: SectionWriter, several: int) -> str:
    """What the texts of the population come from."""
    found = report.found.materials
    read = f"They were read from {named(found.read_from)}. " if found.read_from else ""
    if not any(each.sources for each in found.population):
        return f"{read}Nobody said what each comes from."
    return f"{read}{report.say.count(several)} of these authors have texts from two sources or more."


def _by_source(report: SectionWriter, author: AuthorTexts) -> str:
    """The sources of one author, each with its number of texts; of many the first."""
    say, letters = report.say, report.doc.letters
    told = [
        f"{letters.fitted(name, _TINY, _SOURCE)} ({say.count(texts)})"
        for name, texts in list(author.sources.items())[:_SOURCES]
    ]
    more = len(author.sources) - len(told)
    told += [f"and {say.count(more)} more"] if more else []
    told += [f"of no source that was named ({say.count(author.untold)})"] if author.untold else []
    return ", ".join(told)


def _given(report: SectionWriter, given: GivenSources) -> str:
    """What the analyst said about the sources of some texts."""
    say = report.say
    texts = f"{say.count(given.documents)} of the known texts"
    said = (
        f"The analyst named what {texts} come from ({say.count(given.sources)} sources)"
        if given.sources
        else f"The analyst stated that it is not known what {texts} come from"
    )
    return f"{said}, because: {given.because}" if given.because else f"{said}."


def _disputed(report: SectionWriter) -> None:
    doc, say = report.doc, report.say
    texts = report.found.materials.disputed
    labelled = any(text.exhibit for text in texts)
    columns = [
        Column("File", lines=2),
        Column("Words", 36, "right"),
        Column("Bytes", 44, "right"),
        Column("Encoding", 48, lines=1),
    ]
    columns = ([Column("Exhibit", 48, lines=2)] if labelled else []) + columns
    table(
        doc,
        [*columns, Column("SHA-256 of the file", 148, lines=2, mono=True)],
        [
            (
                *((text.exhibit,) if labelled else ()),
                text.file, say.count(text.words), say.count(text.bytes), text.encoding, _halved(text.sha256),
            )
            for text in texts
        ],
        caption="The disputed texts. Bytes are those of the text in UTF-8.",
    )  # fmt: skip


def _halved(digest: str) -> str:
    """A hash in two halves, which break into two lines."""
    return f"{digest[:32]} {digest[32:]}"


def _full(report: SectionWriter, known: Sequence[Text]) -> None:
    """One line for each file, under its author, with the whole hash."""
    say = report.say
    rows: list[Row] = []
    for author in report.found.materials.authors:
        own = [text for text in known if text.author == author.author]
        if own:
            rows.append(Group(_heading(report, author) + _ROLE.get(author.role, "")))
        for text in own:
            part = f" (part {say.count(text.part)})" if text.part else ""
            rows.append((f"{_mark(report, text)}{text.file}{part}", say.count(text.words), text.encoding, text.sha256))
    columns = [
        Column("File", lines=1), Column("Words", 28, "right", 1), Column("Encoding", 34, lines=1),
        Column("SHA-256 of the file", 232, lines=1, mono=True),
    ]  # fmt: skip
    table(report.doc, columns, rows, caption="The known texts, by author.", style=_TINY, lines=False)


def _mark(report: SectionWriter, text: Text) -> str:
    """Before a text of a candidate of whom not all are used, whether this one is."""
    thinned = text.used and any(each.author == text.author for each in report.found.materials.thinned)
    return f"{_USED} " if thinned else ""


def _heading(report: SectionWriter, author: AuthorTexts) -> str:
    """The author with how much there is; of a long name the middle is left out, never a number."""
    say, letters = report.say, report.doc.letters
    rest = f": {say.count(author.documents)} texts, {say.count(author.words)} words"
    room = (report.doc.width - _GAP) / _COLUMNS - letters.width(rest, _TINY.strong)
    return letters.fitted(author.author, _TINY.strong, room) + rest


@dataclass(frozen=True)
class _Entry:
    """A line of the short list: a file, or the heading of an author (which has no digest)."""

    author: str
    name: str
    words: str = ""
    digest: str = ""


def _short(report: SectionWriter, known: Sequence[Text]) -> None:
    """Two columns of files under their authors: for corpora whose full list would fill the report."""
    doc = report.doc
    entries: Sequence[_Entry] = list(_entries(report, known))
    wide = (doc.width - _GAP) / _COLUMNS
    doc.need(_TINY.leading * 12)
    while entries:
        doc.need(_HEAD + _TINY.leading * 5)
        lines = int((doc.room - _HEAD) // _TINY.leading)
        # On the last page the columns are about as long as each other; lines for 'continued' may come in.
        tall = min(lines, -(-len(entries) // _COLUMNS) + 2)
        top, y = doc.y, doc.y
        for column in range(_COLUMNS):
            taken, entries = _column(entries, tall)
            doc.y = top
            _draw_column(doc, taken, doc.left + column * (wide + _GAP), wide)
            y = max(y, doc.y)
        doc.y = y
    doc.y += 12


def _entries(report: SectionWriter, known: Sequence[Text]) -> Iterator[_Entry]:
    """Every author and every file; the folder that all files of an author share stands above them, unless it has the author's name."""
    say = report.say
    for author in report.found.materials.authors:
        name = author.author
        own = [text for text in known if text.author == name]
        if not own:
            continue
        folder = commonprefix([text.file for text in own]).rpartition("/")[0]
        yield _Entry(name, _heading(report, author) + _ROLE.get(author.role, ""))
        if folder not in ("", name):
            yield _Entry(name, f"in {folder}/")
        for text in own:
            part = f" ({say.count(text.part)})" if text.part else ""
            file = text.file.removeprefix(f"{folder}/" if folder else "")
            yield _Entry(name, f"{_mark(report, text)}{file}{part}", say.count(text.words), text.sha256[:_SHORT])


def _column(entries: Sequence[_Entry], tall: int) -> tuple[Sequence[_Entry], Sequence[_Entry]]:
    """What goes into one column, and what is left: authors are named again at its top, and their names are never alone at its foot."""
    if not entries:
        return entries, entries
    again = [] if not entries[0].digest else [_Entry(entries[0].author, f"{entries[0].author}{_AGAIN}")]
    end = min(len(entries), max(1, tall - len(again)))
    while end > 1 and not entries[end - 1].digest:
        end -= 1
    return [*again, *entries[:end]], entries[end:]


def _draw_column(doc: PdfDocument, entries: Sequence[_Entry], x: float, width: float) -> None:
    """Files under each other: name, words, beginning of the hash."""
    if not entries:
        return
    digits = doc.letters.width("0" * _SHORT, _TINY.mono)
    right = x + width - digits - 8
    for place, head, align in (
        (x, "File", "left"),
        (right, "Words", "right"),
        (x + width, "SHA-256", "right"),
    ):
        doc.write(place, doc.y, head, _TINY.strong, align)
    doc.y += _TINY.leading + 1
    doc.stroke(x, doc.y, x + width, doc.y, 0.5)
    doc.y += _HEAD - _TINY.leading - 1
    for each in entries:
        if each.digest:
            count = max(22.0, doc.letters.width(each.words, _TINY))
            doc.write(x, doc.y, doc.letters.fitted(each.name, _TINY, width - digits - 16 - count), _TINY)
            doc.write(right, doc.y, each.words, _TINY, "right")
            doc.write(x + width, doc.y, each.digest, _TINY.mono, "right")
        else:
            doc.write(x, doc.y, doc.letters.fitted(each.name, _TINY.strong, width), _TINY.strong)
        doc.y += _TINY.leading
