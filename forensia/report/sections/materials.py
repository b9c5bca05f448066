"""What was asked; what was examined, every file with its hash, so that anybody can tell whether theirs is the same; what was done to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from posixpath import commonprefix

from forensia import figures
from forensia.corpus.document import Role, Severity
from forensia.report.blocks import Bullets, Column, Group, Heading, Illustration, Paragraph, Row, Table
from forensia.report.materials import AuthorTexts, FoundProblem, GivenSources, Text
from forensia.report.sections import Blocks, Report
from forensia.wording import conditions
from forensia.wording.problems import message
from forensia.wording.reasons import FORMS
from forensia.wording.templates import elided, listed, named

_FULL = 200  # known texts up to which each has its whole hash in print
_SHORT = 16  # digits of a hash
_USED = "*"
_MOST_DRAWN = 60
_ROLE = {Role.POPULATION.value: " (population)"}
_SOURCES = 12  # of an author that are named
_NAME = 40  # letters of an author or a source
_LISTED, _OF_A_KIND = 40, 5
_GRAVEST = (Severity.BLOCKING, Severity.WARNING, Severity.NOTE)
_TYPING = {
    "canonical": "These forms are brought to one before features are counted, so they play no part in the comparison of texts. Where a "
    "disputed text differs in them from the known ones, that is evidence about a keyboard, a program or an edition, not about a writer.",
    "as typed": "Features are counted in the texts as they were typed, so these forms play a part in the comparison, though they are "
    "evidence about a keyboard, a program or an edition, not about a writer.",
}
_WHERE = {"corpus": "known texts", "known": "known texts", "disputed": "disputed text"}


def instructions(report: Report) -> Blocks:
    """What was asked, by whom, and what the analyst was told: none of it entered the computation."""
    details = report.details
    yield Heading("Instructions and facts supplied")
    if details.client:
        yield Paragraph(f"Instructed by {details.client}.")
    if details.question:
        yield Paragraph(f"The question put to the analyst: {details.question}")
    else:
        yield Paragraph(
            f"No question was recorded in the words of whoever asked it. This report answers: {report.question}"
        )
    if details.received:
        yield Paragraph(f"Materials received: {details.received}.")
    if details.facts:
        yield Paragraph("The analyst was told the following:", keep=True)
        yield Bullets(details.facts)
    else:
        yield Paragraph("No facts about the case were recorded.")
    yield Paragraph(
        "The computation saw the texts, the names of the authors of the known ones, what each of these comes from, what the analyst "
        "states of the source of a disputed text, and which question is asked of it; nothing else. The names have "
        "no influence on it: with others the numbers are the same."
    )


def materials(report: Report) -> Blocks:
    """Every file with its hash."""
    say, found = report.say, report.contents.materials
    authors = sum(1 for each in found.authors if each.documents)
    yield Heading("Materials")
    yield Paragraph(
        f"{say.count(len(found.disputed))} disputed and {say.count(found.documents)} known texts by "
        f"{say.count(authors)} author{'' if authors == 1 else 's'}, with {say.count(found.words)} words in the known texts, were examined. "
        f"{_roles(report)}SHA-256 is a fingerprint of the bytes of a file: another file practically never has the same."
    )
    yield _disputed(report)
    if found.population:
        yield from _population(report, _of_texts(report))
    if found.counted is not None:
        yield from _population(report, _of_counts(report))
    candidates = found.candidates
    if 1 < len(candidates) <= _MOST_DRAWN:
        numbers = [each.documents for each in candidates], [each.words for each in candidates]
        drawing = figures.by_author([each.author for each in candidates], *numbers, report.look(3.0))
        yield Illustration([drawing], floating=True)
    yield from _known(report)
    yield from _sources(report)
    for given in found.given_sources:
        yield Paragraph(_given(report, given))
    excluded = [text for text in found.known if text.excluded is not None]
    if excluded:
        yield Paragraph(
            f"Of {say.count(len(found.known))} known texts {say.count(len(excluded))} were left out of the model; the table says why."
        )
        yield Table(
            [Column("File", lines=2), Column("Author", 90, lines=2), Column("Why it was left out", 200)],
            [(text.file, text.author or "", text.excluded or "") for text in excluded[:_FULL]],
            "Known texts that were left out of the model.",
        )
    moved = [text for text in found.known if text.read_as]
    if moved:
        yield Table(
            [
                Column("File", lines=2),
                Column("Author as read", 120, lines=2),
                Column("Author as assigned", 120, lines=2),
            ],
            [(text.file, text.read_as or "", text.author or "") for text in moved[:_FULL]],
            "Texts that the analyst assigned to another author than the files said.",
        )


def _roles(report: Report) -> str:
    """Who of the authors is a candidate."""
    found, say = report.contents.materials, report.say
    if not (found.population or found.counted):
        return ""
    some = [each for each in found.candidates if each.documents]
    names = listed([each.author for each in some])
    return (
        f"{'The only candidate is' if len(some) == 1 else f'The {say.count(len(some))} candidates are'} {names}, with "
        f"{say.count(sum(each.documents for each in some))} of the known texts; "
        f"{'the others are the reference population' if found.population else 'the reference population came as counts'}. "
    )


def _disputed(report: Report) -> Table:
    say, texts = report.say, report.contents.materials.disputed
    labelled = any(text.exhibit for text in texts)
    columns = [
        Column("Exhibit", 48, lines=2), Column("File", lines=2), Column("Words", 36, "right"), Column("Bytes", 44, "right"),
        Column("Encoding", 48, lines=1), Column("SHA-256 of the file", 148, lines=2, mono=True),
    ]  # fmt: skip
    rows = [
        (
            text.exhibit, text.file, say.count(text.words), say.count(text.bytes), text.encoding,
            f"{text.sha256[:32]} {text.sha256[32:]}",  # a space, where the line is broken
        )
        for text in texts
    ]  # fmt: skip
    first = 0 if labelled else 1
    caption = "The disputed texts. Bytes are those of the text in UTF-8."
    return Table(columns[first:], [row[first:] for row in rows], caption)


def _population(report: Report, what: str) -> Blocks:
    """What the reference population is, and that nobody of it is a candidate."""
    yield Heading("The reference population", 1)
    yield Paragraph(
        f"{what} They stand for other people who could have written the disputed text. Whether they do, in genre, period, medium and "
        "manner of writing, is not for the program to say."
    )
    validation = report.contents.validation
    if validation is not None and (less := conditions.thinned(validation)):
        yield Paragraph(less)


def _of_texts(report: Report) -> str:
    """How many authors, texts and words a population has, and what they come from."""
    say, found = report.say, report.contents.materials
    authors = found.population
    numbers = sorted(each.documents for each in authors)
    words = sorted(text.words for text in found.known if text.role == Role.POPULATION.value and text.excluded is None)
    several = sum(1 for each in authors if len(each.sources) + (each.untold > 0) > 1)
    texts = f"{say.count(numbers[0])} texts"
    if numbers[0] < numbers[-1]:
        texts = f"between {say.count(numbers[0])} and {say.count(numbers[-1])} texts"
    whence = f"They were read from {named(found.read_from)}. " if found.read_from else ""
    if any(each.sources for each in authors):
        whence += f"{say.count(several)} of these authors have texts from two sources or more."
    else:
        whence += "Nobody said what each comes from."
    return (
        f"{say.count(sum(numbers))} texts by {say.count(len(authors))} authors who are no candidates, with {say.count(sum(words))} words; "
        f"{texts} of each, of {say.count(words[len(words) // 2])} words in the median. {whence}"
    )


def _of_counts(report: Report) -> str:
    """The same of a population that came as counts, as its maker has it."""
    say, record = report.say, report.contents.materials.counted
    assert record is not None
    authors = len({each.author for each in record.texts})
    about = f": {record.description.rstrip('.')}" if record.description else "; whoever made it did not say what it is"
    return (
        f"'{record.name}'{about}. {say.count(len(record.texts))} texts by {say.count(authors)} authors who are no candidates, with "
        f"{say.count(sum(each.words for each in record.texts))} words. It came as counts of features in a file; the texts themselves were "
        "not at hand, and the embedded results have the SHA-256 of each."
    )


def _known(report: Report) -> Blocks:
    """Every known text that was used: with its whole hash, or in a short list where that would fill the report."""
    say, found = report.say, report.contents.materials
    active = [text for text in found.known if text.excluded is None]
    full = len(active) <= _FULL
    yield Heading("Known texts", 1)
    if found.thinned:
        yield Paragraph(
            f"Of {listed([each.author for each in found.thinned])} those texts are held against a disputed one that are marked with "
            f"{_USED} below; a lot has drawn them. The others take part in the averages and in the methods beside the fused score."
        )
    if not full:
        yield Paragraph(
            f"Each of the {say.count(len(active))} files is listed with its number of words and the first 16 digits of its SHA-256; the "
            "embedded results have all digits, the encoding and the size of each. A folder that all files of an author share is left "
            "out if it has the author's name, and else stands above them. The SHA-256 over all analysed texts and who wrote which is "
            f"{found.fingerprint}."
        )
    rows: list[Row] = []
    for author in found.authors:
        own = [text for text in active if text.author == author.author]
        if own:
            rows += (_whole if full else _brief)(report, author, own)
    if full:
        columns = [
            Column("File", lines=1), Column("Words", 28, "right", 1), Column("Encoding", 34, lines=1),
            Column("SHA-256 of the file", 232, lines=1, mono=True),
        ]  # fmt: skip
        yield Table(columns, rows, "The known texts, by author.", "finest", lines=False)
    else:
        yield Table([Column("File"), Column("Words"), Column("SHA-256")], rows, size="finest", two_columns=True)


def _heading(report: Report, author: AuthorTexts) -> Group:
    """The author with how much there is."""
    say = report.say
    much = f"{say.count(author.documents)} texts, {say.count(author.words)} words{_ROLE.get(author.role, '')}"
    return Group(f"{elided(author.author, _NAME)}: {much}", f"{author.author}, continued")


def _whole(report: Report, author: AuthorTexts, own: Sequence[Text]) -> list[Row]:
    """A line for each text of an author with the whole hash."""
    say = report.say
    parts = [f" (part {say.count(text.part)})" if text.part else "" for text in own]
    return [
        _heading(report, author),
        *(
            (f"{_mark(report, text)}{text.file}{part}", say.count(text.words), text.encoding, text.sha256)
            for text, part in zip(own, parts, strict=True)
        ),
    ]


def _brief(report: Report, author: AuthorTexts, own: Sequence[Text]) -> list[Row]:
    """The same in short; the folder that all files share stands above them, unless it has the author's name."""
    say, heading = report.say, _heading(report, author)
    folder = commonprefix([text.file for text in own]).rpartition("/")[0]
    rows: list[Row] = [heading]
    if folder not in ("", author.author):
        rows.append(Group(f"in {folder}/", heading.again))
    for text in own:
        part = f" ({say.count(text.part)})" if text.part else ""
        file = text.file.removeprefix(f"{folder}/" if folder else "")
        rows.append((f"{_mark(report, text)}{file}{part}", say.count(text.words), text.sha256[:_SHORT]))
    return rows


def _mark(report: Report, text: Text) -> str:
    """Before a text of a candidate of whom not all are used, whether this one is."""
    thinned = text.used and any(each.author == text.author for each in report.contents.materials.thinned)
    return f"{_USED} " if thinned else ""


def _sources(report: Report) -> Blocks:
    """What each author's texts come from, and who has one source only."""
    say, found = report.say, report.contents.materials
    if not any(each.sources for each in found.authors):
        yield Paragraph("Nobody said what the known texts come from.")
        return
    authors = [each for each in found.candidates if each.documents]
    yield Table(
        [
            Column("Author", 110, lines=2),
            Column("Sources", 36, "right", 1),
            Column("Which, with the number of texts", lines=6),
        ],
        [(each.author, say.count(len(each.sources)), _by_source(report, each)) for each in authors],
        f"What the known texts{' of the candidates' if found.population else ''} come from. A text may have several sources.",
        "finest",
    )
    alone = [each.author for each in authors if each.one_source]
    yield Paragraph(
        f"{'Candidates' if found.population else 'Authors'} with one source only: {say.count(len(alone))} of {say.count(len(authors))}"
        + (f" ({listed(alone)})." if alone else ".")
    )


def _by_source(report: Report, author: AuthorTexts) -> str:
    """The sources of one author, each with its number of texts; of many the first."""
    say, first = report.say, list(author.sources.items())[:_SOURCES]
    said = [f"{elided(name, _NAME)} ({say.count(texts)})" for name, texts in first]
    more = len(author.sources) - len(first)
    said += [f"and {say.count(more)} more"] if more else []
    said += [f"of no source that was named ({say.count(author.untold)})"] if author.untold else []
    return ", ".join(said)


def _given(report: Report, given: GivenSources) -> str:
    """What the analyst said about the sources of some texts."""
    say = report.say
    texts = f"{say.count(given.documents)} of the known texts"
    said = (
        f"The analyst named what {texts} come from ({say.count(given.sources)} sources)"
        if given.sources
        else f"The analyst stated that it is not known what {texts} come from"
    )
    return f"{said}, because: {given.because}" if given.because else f"{said}."


# --- pre-processing -------------------------------------------------------------------------------------------------------


def preprocessing(report: Report) -> Blocks:
    """What was done to the texts before they were compared, and what was found in them."""
    say, found = report.say, report.contents.preprocessing
    yield Heading("Pre-processing and what was found")
    yield Paragraph(
        "Each file is decoded, its line ends and accents are brought to one form (Unicode NFC), and its words are counted. Nothing else is "
        "changed: capital letters, spelling and punctuation are evidence. Hidden characters are counted and reported, not "
        "removed from the texts. Passages that are not the author's own are left out only where the table below says so."
    )
    if found.problems:
        rows = _first_of_each(sorted(found.problems, key=lambda row: _GRAVEST.index(row.problem.severity)))[:_LISTED]
        yield Table(
            [
                Column("Kind", 42),
                Column("Where", 60),
                Column("What was found", lines=6),
                Column("Documents", 52, "right"),
            ],
            [
                (row.problem.severity.value, _WHERE[row.where], message(row.problem), say.count(row.documents))
                for row in rows
            ],
            "What was found in the texts.",
        )
        if len(rows) < len(found.problems):
            yield Paragraph(
                f"Of what was found often only the first are listed; the embedded results have all {say.count(len(found.problems))}."
            )
    else:
        yield Paragraph("Nothing unusual was found in any text: no hidden characters, no copies, no quoted mail.")
    if found.cuts:
        yield Table(
            [
                Column("File", lines=2),
                Column("Passages", 54, "right"),
                Column("Characters", 62, "right"),
                Column("Reason", 190),
            ],
            [
                (cut.file, say.count(cut.passages), say.count(cut.characters), "; ".join(cut.reasons))
                for cut in found.cuts[:_LISTED]
            ],
            "Passages that were left out of the analysis.",
        )
        if len(found.cuts) > _LISTED:
            yield Paragraph(f"The embedded results have all {say.count(len(found.cuts))}.")
    else:
        yield Paragraph("No passage was left out of any text.")
    if found.typing:
        heads = (("Known texts", 70), ("Disputed texts", 76), ("Times in these", 78))
        yield Table(
            [Column("How it is typed"), *(Column(head, width, "right") for head, width in heads)],
            [
                (FORMS[each.kind, each.form], *map(say.count, (each.known, each.disputed, each.times)))
                for each in found.typing
            ],
            "How the texts were typed: in how many each form stands.",
        )
        yield Paragraph(_TYPING[report.contents.model.typing])
    if found.set_aside:
        yield Table(
            [Column("Problem", lines=5), Column("Why it was set aside", 200, lines=5)],
            [(each.message, each.reason) for each in found.set_aside[:_LISTED]],
            "Problems that the analyst set aside.",
        )


def _first_of_each(rows: Sequence[FoundProblem]) -> list[FoundProblem]:
    """The first few of each kind of problem: a large corpus has the same one for every author."""
    counts: Counter[str] = Counter()
    kept = []
    for row in rows:
        counts[row.problem.code] += 1
        if counts[row.problem.code] <= _OF_A_KIND:
            kept.append(row)
    return kept
