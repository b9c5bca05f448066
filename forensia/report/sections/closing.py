"""What ends a report: limits, conclusion and declaration, parameters and hashes, audit log, glossary, and how anybody can verify it."""

from __future__ import annotations

from forensia.evidence.learnt import PairRecord
from forensia.report.blocks import Bullets, Column, FactList, Heading, Paragraph, Piece, Signatures, Table, strong
from forensia.report.contents import NAME
from forensia.report.sections import Blocks, Report, days
from forensia.wording import conditions, opinion, writers
from forensia.wording import limits as words_of_limits
from forensia.wording.templates import catalogue, elided

_FIRST, _LAST = 20, 60  # entries of a long log
_INTERIM = ("arrays stored", "arrays removed")


def limits(report: Report) -> Blocks:
    """The limits, as they follow from what was found in this case."""
    yield Heading("Limits")
    yield Paragraph("These follow from what was found in this case; the gravest come first.", keep=True)
    yield Bullets(
        [(strong(f"{words_of_limits.title(each)}. "), words_of_limits.text(each)) for each in report.contents.limits]
    )


def conclusion(report: Report) -> Blocks:
    """The conclusion in the words of the findings, the declaration, and lines to sign."""
    details = report.details
    yield Heading("Conclusion")
    for document in report.contents.documents:
        result = document.result
        said = [
            *report.no_new_source(result),
            opinion.statement(result),
            *opinion.reasons(result),
            conditions.holds(result),
        ]
        yield Paragraph((strong(f"{elided(report.name(document), 80)}. "), " ".join(said)))
    for each in report.contents.comparisons:
        names = report.compared(each)
        yield Paragraph((strong(f"{writers.question(names)} "), " ".join(writers.answer(each.found, names))))
    if details.conclusion:
        yield Paragraph(details.conclusion)
    yield Paragraph(
        "Verbal expressions follow the scale that the statements name; 'first' and 'second' proposition are those of the section on "
        "propositions. These findings are one part of the evidence and must be weighed together with the rest."
    )
    yield Heading("Declaration", 1, apart=True)
    yield Paragraph(
        "The numbers in this report were computed by the program from the texts listed in it, with the settings listed in it, and can be "
        "computed again from the case file. I have read the limits. I have stated what I was told and by whom, and have left out "
        "nothing that would qualify what is said here. My duty is to the court and not to those who instructed me."
    )
    roles = (("Analyst", details.analyst), ("Reviewer", details.reviewer))
    yield Signatures([f"{role}: {name}" if name else role for role, name in roles])


# --- appendices -----------------------------------------------------------------------------------------------------------


def parameters(report: Report) -> Blocks:
    """Every setting, defaults included."""
    say, model, scale = report.say, report.contents.model, report.contents.scale
    yield Heading("Parameters", appendix=True)
    bands = [f"{word} up to {say.setting(top)}" if top is not None else f"{word} above" for top, word in scale.bands]
    rows = [
        ("Profile", model.profile),
        ("Master seed", say.setting(model.seed)),
        ("Families of features", ", ".join(model.families)),
        ("Typing", model.typing),
        ("Topic masking", model.mask),
        *([] if model.pairs is None else _of_pairs(report, model.pairs)),
        ("Quick validation", "yes" if model.quick else "no"),
        ("Verbal scale", f"{scale.name}: {'; '.join(bands)}"),
        ("Layout of the files", report.contents.materials.layout),
    ]
    yield Table(
        [Column("Parameter", 120), Column("Value", lines=8)], rows, "Parameters of the model and of the report."
    )


def _of_pairs(report: Report, pairs: PairRecord) -> list[tuple[str, str]]:
    """Those of the diff-vector part."""
    say = report.say
    return [
        ("Features", say.count(pairs.features)),
        ("Training pairs", say.count(pairs.pairs)),
        ("Hash of the pair list", pairs.pairs_sha256),
        ("C", say.setting(pairs.c)),
        ("C tried, with loss", "; ".join(f"{c}: {say.setting(loss)}" for c, loss in pairs.losses.items()) or "–"),
        ("k", say.count(pairs.k)),
    ]


def versions(report: Report) -> Blocks:
    """The program, the machine and the hashes of all that the numbers rest on."""
    contents = report.contents
    language, environment = contents.model.language, contents.environment
    yield Heading("Versions and hashes", appendix=True)
    yield FactList(
        [
            ("This report", f"Forensia {contents.program}"),
            ("The case", f"made with Forensia {contents.case.program} on {days(contents.case.created)}"),
            ("System and libraries", ", ".join(f"{name} {value}" for name, value in environment.items() if value)),
        ]
    )
    hashes = [
        ("Known texts and authors", contents.materials.fingerprint),
        ("Texts, choices and settings", contents.case.basis),
        ("Language model", str(language["sha256"])),
        ("Function words", str(language["function_words_sha256"])),
        *((f"Stored: {kind}", digest) for kind, digest in sorted(contents.case.arrays.items())),
        ("Head of the audit log", contents.case.log.head),
    ]
    yield Table([Column("What", 130), Column("SHA-256", mono=True)], hashes, "What the numbers rest on.")


def audit_log(report: Report) -> Blocks:
    """The audit log of the case: what was done and when, each entry with the hash of the one before."""
    say, log, events = report.say, report.contents.case.log, report.contents.case.events
    sound = "The chain is unbroken." if log.sound else "THE CHAIN IS BROKEN: the log is not as it was written."
    yield Heading("Audit log", appendix=True)
    yield Paragraph(
        f"The log has {say.count(log.entries)} entries; its head is {log.head}. Each entry carries the hash of the one before, so an "
        f"entry that is changed or taken out breaks the chain. {sound}"
    )
    shown = [each for each in events if not (each.event in _INTERIM and "kind fold" in each.details)]
    if len(shown) > _FIRST + _LAST:
        shown = [*shown[:_FIRST], *shown[-_LAST:]]
    if len(shown) < len(events):
        yield Paragraph(
            "Left out here are entries about interim stores of the validation"
            + (", and the middle of a long log" if len(shown) == _FIRST + _LAST else "")
            + "; the embedded results have all entries."
        )
    yield Table(
        [
            Column("No.", 22, "right", 1), Column("Time", 88, lines=1), Column("Event", 82, lines=1), Column("Details", lines=2),
            Column("SHA-256, beginning", 70, lines=1, mono=True),
        ],
        [(say.count(each.number), days(each.time), each.event, each.details, each.sha256[:16]) for each in shown],
        "The audit log.",
        "fine",
    )  # fmt: skip


def glossary(report: Report) -> Blocks:
    """The words of the report, for readers who are no specialists."""
    yield Heading("Glossary", appendix=True)
    words = dict(catalogue("glossary"))
    of_populations = words.pop("population")
    words |= of_populations if report.contents.population else {}
    for word, meaning in sorted(words.items(), key=lambda each: each[0].lower()):
        yield Paragraph((strong(f"{word}. "), meaning), "small", close=True)


def verifying(report: Report) -> Blocks:
    """How to verify the report, and where all its numbers are."""
    contents = report.contents
    yield Heading("All numbers, and how to verify this report", appendix=True)
    yield Paragraph(
        f"Every number in this report, and many more, stand in the file {NAME} that is embedded in this PDF; most viewers list it under "
        "'attachments'. Printed figures are rounded, those in the file are not."
    )
    yield Paragraph(
        f"With the case file '{contents.case.file}' anybody who has Forensia can verify the report:", keep=True
    )
    yield Bullets(
        [
            (
                Piece("forensia verify REPORT.pdf", "code"),
                " reads the embedded numbers, finds the case beside the PDF (or as given with --case), trains and analyses again from "
                "the texts, and names every number that does not come out again.",
            ),
            (
                Piece("forensia verify CASE.forensia", "code"),
                " does the same for the case alone, and rehashes every text, model and entry of its log.",
            ),
        ]
    )
    yield Paragraph(
        f"The report id {contents.id} is the beginning of a SHA-256 over the embedded numbers. The audit log of the case had its "
        f"head at {days(contents.case.log.time)}; making this report adds an entry to it, with the SHA-256 of this file."
    )
    yield Paragraph(
        "The same case, the same details and the same date give this PDF again, byte for byte, with the same versions of the program and "
        "its libraries.",
        "small",
    )
