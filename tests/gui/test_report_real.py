"""The report from the window with nothing standing in: a text is analysed, looked at as pages, and exported as a PDF that holds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from forensia import paths
from forensia.case.store import Case
from forensia.gui.pages import report
from forensia.gui.pages.report import ReportDialog
from forensia.gui.window import MainWindow
from forensia.report.details import CaseDetails

WAIT = 280_000


@pytest.mark.timeout(900)
def test_analyse_preview_and_export(
    window: MainWindow, validated_case: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "harbour.forensia"
    shutil.copy(validated_case, place)
    window.open_case(place)
    qtbot.waitUntil(lambda: window.opencase.shown is not None and not window.opencase.work.busy, timeout=WAIT)
    window.take_texts([sorted((paths.sample_case() / "disputed").glob("*.txt"))[0]])
    qtbot.waitUntil(lambda: bool(window.opencase.shown.results) and not window.opencase.work.busy, timeout=WAIT)
    window.menus.report.trigger()
    (dialog,) = window.findChildren(ReportDialog)
    qtbot.waitUntil(lambda: dialog.pages.pages > 0, timeout=WAIT)
    qtbot.waitUntil(lambda: 0 in dialog.pages.sheets.pictures, timeout=WAIT)
    first = dialog.pages.sheets.pictures[0]
    shades = {
        first.pixelColor(x, y).lightness() for x in range(0, first.width(), 3) for y in range(0, first.height(), 3)
    }
    assert min(shades) < 100 and max(shades) > 250, "ink on white"
    assert "Page 1 of" in dialog.place.text() and dialog.message.text() == ""
    dialog.form.lines["case_number"].setText("2026/114")
    monkeypatch.setattr(report, "ask_file", lambda *_: tmp_path / "out.pdf")
    dialog.export.click()
    qtbot.waitUntil(lambda: dialog.message.text() == "Saved as out.pdf.", timeout=WAIT)
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF-")
    dialog.close()
    window.opencase.close()
    with Case.open(place, read_only=True) as case:
        assert CaseDetails.of_case(case).case_number == "2026/114"
        (written,) = case.results.reports()
    from forensia.case.storage import sha256

    assert written.sha256 == sha256((tmp_path / "out.pdf").read_bytes()), "the case knows the report that was made"
