"""How tests read a report: its text, its numbers, its pages as pictures."""

from __future__ import annotations

import ast
import io
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader

from forensia.report.contents import Contents, as_json
from forensia.report.make import Made
from forensia.report.typesetting import PAPERS
from forensia.wording import conditions, limits, opinion, problems, reasons
from forensia.wording.templates import catalogue

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def flat(text: str) -> str:
    return " ".join(text.split())


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield str(key)
            yield from strings(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from strings(each)


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        yield float(len(value))
        for each in value.values():
            yield from numbers(each)
    elif isinstance(value, (list, tuple)):
        yield float(len(value))
        for each in value:
            yield from numbers(each)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


def constants() -> Iterator[str]:
    """Everything that the program itself says: the strings in its sections, and in the modules that have words of their own."""
    places = [*(ROOT / "forensia/report/sections").glob("*.py"), *(ROOT / "forensia/figures").glob("*.py")]
    places += (ROOT / "forensia/wording").glob("*.py")
    for place in places:
        for node in ast.walk(ast.parse(place.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
    yield from strings(catalogue("glossary"))


def said(contents: Contents) -> Iterator[str]:
    """The sentences that are made from codes and values: opinions and findings with their reasons, warnings, limits, notes."""
    for document in contents.documents:
        result = document.result
        findings = opinion.findings(result)
        yield opinion.statement(result)
        yield from () if findings is None else (findings.statement, findings.support)
        yield from (*opinion.reasons(result), *reasons.warnings(result), conditions.holds(result))
    yield from conditions.which((document.result.file, document.result) for document in contents.documents)
    for figure in () if contents.validation is None else contents.validation.figures:
        yield conditions.measured(figure.condition)
    for limit in contents.limits:
        yield f"{limits.title(limit)}. {limits.text(limit)}"
    for found in contents.preprocessing.problems:
        yield problems.message(found.problem)
    yield from reasons.sentences(() if contents.validation is None else contents.validation.notes)


def pictures(pdf: bytes, folder: Path) -> list[np.ndarray]:
    """Each page in grey, 40 dots an inch."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm is not installed")
    (folder / "report.pdf").write_bytes(pdf)
    subprocess.run(["pdftoppm", "-r", "40", "-gray", "-png", folder / "report.pdf", folder / "page"], check=True)
    return [np.asarray(Image.open(file).convert("L")) for file in sorted(folder.glob("page-*.png"))]


def assert_margins(pages: list[np.ndarray], paper: str) -> None:
    """Nothing stands in the margins, nor between the text and the foot: nothing was cut off there either."""
    sheet = PAPERS[paper]
    dots = 40 / 72
    left, right = int((sheet.left - 6) * dots), int((sheet.width - sheet.right + 6) * dots)
    top, foot, line = (int(y * dots) for y in (sheet.top - 8, sheet.foot + 5, sheet.height - 52))
    for number, page in enumerate(pages, start=1):
        assert page[:, :left].min() > 240 and page[:, right:].min() > 240, f"page {number}"
        assert page[int((sheet.top - 24) * dots) : top].min() > 240, f"page {number}"
        assert page[foot:line].min() > 240, f"page {number}"


def strange_numbers(made: Made, pages: Sequence[str]) -> list[str]:
    """Numbers in the text of a report that neither its JSON nor the program's own sentences have."""
    allowed = {token for each in made.printed for token in NUMBER.findall(each.words)}
    texts = (*strings(as_json(made.contents)), *said(made.contents), *constants())
    allowed |= {token for text in texts for token in NUMBER.findall(text)}
    allowed |= {token.rstrip(",") for token in allowed}
    strange = []
    for number, page in enumerate(pages, start=1):
        if number == 3 or "The text with its strongest features marked" in flat(page):
            continue  # the contents are page numbers; the text is quoted
        page = re.sub(r"Page \d+ of \d+|(Figure|Table) \d+\.|\b[0-9a-f]{16,64}\b", " ", page)
        page = re.sub(r"(?m)^(\d+|[A-E])(\.\d+)+ |^\d+ (?=[A-Z])", " ", page)  # numbers of headings
        page = re.sub(
            r"\b[\w./-]*[a-z][\w./-]*\d[\w./-]*|\d[\w./:-]*[a-zA-Z:-][\w./:-]*", " ", page
        )  # names, versions, dates
        strange += [token.rstrip(",") for token in NUMBER.findall(page) if token.rstrip(",") not in allowed]
    return strange


def assert_no_lonely_heading(pdf: bytes, pages: Sequence[str]) -> None:
    """Under each heading of the outline stand two lines of text at least, and the foot."""
    reader = PdfReader(io.BytesIO(pdf))

    def titles(items: list[Any]) -> Iterator[Any]:
        for item in items:
            if isinstance(item, list):
                yield from titles(item)
            else:
                yield item

    for item in titles(reader.outline):
        page = pages[reader.get_destination_page_number(item)].splitlines()
        below = page[[flat(line) for line in page].index(flat(item.title)) + 1 :]
        assert len(below) > 2, item.title
