"""Appendices: parameters, versions and hashes, and how anybody can verify the report."""

from __future__ import annotations

from forensia.evidence.learnt import PairRecord
from forensia.report.contents import NAME
from forensia.report.grid import Column, table
from forensia.report.letters import Piece
from forensia.report.paper import BODY, SMALL
from forensia.report.writing import SectionWriter, days

_CODE = BODY.mono


def write_parameters(report: SectionWriter) -> None:
    """Every setting, defaults included."""
    doc, say, model = report.doc, report.say, report.found.model
    doc.appendices()
    doc.heading("Parameters")
    scale = report.found.scale
    bands = [f"{word} up to {say.plain(top)}" if top is not None else f"{word} above" for top, word in scale.bands]
    rows = [
        ("Profile", model.profile),
        ("Master seed", say.plain(model.seed)),
        ("Families of features", ", ".join(model.families)),
        ("Typing", model.typing),
        ("Topic masking", model.mask),
        *([] if model.pairs is None else _of_pairs(report, model.pairs)),
        ("Quick validation", "yes" if model.quick else "no"),
        ("Verbal scale", f"{scale.name}: {'; '.join(bands)}"),
        ("Layout of the files", report.found.materials.layout),
    ]
    table(
        doc,
        [Column("Parameter", 120), Column("Value", lines=8)],
        rows,
        caption="Parameters of the model and of the report.",
    )


def _of_pairs(report: SectionWriter, pairs: PairRecord) -> list[tuple[str, str]]:
    """Those of the diff-vector part."""
    say = report.say
    return [
        ("Features", say.count(pairs.features)),
        ("Training pairs", say.count(pairs.pairs)),
        ("Hash of the pair list", pairs.pairs_sha256),
        ("C", say.plain(pairs.c)),
        ("C tried, with loss", "; ".join(f"{c}: {say.plain(loss)}" for c, loss in pairs.losses.items()) or "–"),
        ("k", say.count(pairs.k)),
    ]


def write_versions(report: SectionWriter) -> None:
    """The program, the machine and the hashes of all that the numbers rest on."""
    doc, found = report.doc, report.found
    doc.heading("Versions and hashes")
    language = found.model.language
    doc.facts(
        [
            ("This report", f"Forensia {found.program}"),
            ("The case", f"made with Forensia {found.case.program} on {days(found.case.created)}"),
            (
                "System and libraries",
                ", ".join(f"{name} {value}" for name, value in found.environment.items() if value),
            ),
        ]
    )
    hashes = [
        ("Known texts and authors", found.materials.fingerprint),
        ("Texts, choices and settings", found.case.basis),
        ("Language model", str(language["sha256"])),
        ("Function words", str(language["function_words_sha256"])),
        *((f"Stored: {kind}", digest) for kind, digest in sorted(found.case.arrays.items())),
        ("Head of the audit log", found.case.log.head),
    ]
    table(doc, [Column("What", 130), Column("SHA-256", mono=True)], hashes, caption="What the numbers rest on.")


def write_verifying(report: SectionWriter) -> None:
    """How to verify the report, and where all its numbers are."""
    doc, found = report.doc, report.found
    doc.heading("All numbers, and how to verify this report")
    doc.paragraph(
        f"Every number in this report, and many more, stand in the file {NAME} that is embedded in this PDF; most viewers list it under "
        "'attachments'. Printed figures are rounded, those in the file are not."
    )
    doc.paragraph(f"With the case file '{found.case.file}' anybody who has Forensia can verify the report:", keep=40)
    doc.bullets(
        [
            [
                Piece("forensia verify REPORT.pdf", _CODE),
                Piece(
                    " reads the embedded numbers, finds the case beside the PDF (or as given with --case), trains and analyses again from "
                    "the texts, and names every number that does not come out again.",
                    BODY,
                ),
            ],
            [
                Piece("forensia verify CASE.forensia", _CODE),
                Piece(" does the same for the case alone, and rehashes every text, model and entry of its log.", BODY),
            ],
        ]
    )
    doc.paragraph(
        f"The report id {found.id} is the beginning of a SHA-256 over the embedded numbers. The audit log of the case had its "
        f"head at {days(found.case.log.time)}; making this report adds an entry to it, with the SHA-256 of this file."
    )
    doc.paragraph(
        "The same case, the same details and the same date give this PDF again, byte for byte, with the same versions of the program and "
        "its libraries.",
        SMALL,
    )
