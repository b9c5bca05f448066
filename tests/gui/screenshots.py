"""Drive the sample case and save a picture of every page and state: `python tests/gui/screenshots.py OUT`.

Light and dark, at 1280x800 and 1920x1080. Look at each of them; nothing here can tell whether a page is ugly.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SIZES = ((1280, 800), (1920, 1080))


def main(out: Path) -> None:
    """Take all pictures."""
    out.mkdir(parents=True, exist_ok=True)
    home = tempfile.mkdtemp()
    os.environ["FORENSIA_HOME"] = home
    try:
        Session(out).run()
    finally:
        shutil.rmtree(home, ignore_errors=True)


class Session:
    """One window, from empty to an answer."""

    def __init__(self, out: Path) -> None:
        from forensia.gui.app import make_application
        from forensia.gui.window import MainWindow

        self.out = out
        self.app = make_application()
        self.window = MainWindow()
        self.window.show()

    def run(self) -> None:
        from forensia import paths, settings
        from forensia.gui import dialogs, help
        from forensia.gui.pages.model.training import MaskExample

        window = self.window
        self.take("01-empty")
        window.rail.go("model")
        self.take("02-model-empty")
        window.rail.go("disputed")
        self.take("03-disputed-empty")
        window.rail.go("compare")
        self.take("04-compare")
        window.rail.go("experiments")
        self.until(lambda: bool(window.experiments.form.data.boxes))
        self.take("05-experiments")
        window.rail.go("corpus")
        window.opencase.sample()
        self.until(lambda: not window.opencase.work.busy and window.opencase.shown is not None)
        self.until(lambda: window.corpus.chart.picture is not None)
        window.corpus.documents.table.selectRow(3)
        self.take("06-corpus")
        window.corpus.tabs.setCurrentWidget(window.corpus.options)
        options = window.corpus.options
        options.segment.setValue(100)
        for box in options.steps.values():
            box.setChecked(True)
        self.until(lambda: "become" in options.effect.text())
        self.take("07-corpus-options")
        window.corpus.tabs.setCurrentIndex(0)
        window.rail.go("model")
        self.take("08-model-untrained")
        window.model.settings.button.click()
        self.until(lambda: window.model.stages.bar.value() > 450 or not window.opencase.work.busy)
        self.take("09-model-training")
        self.until(lambda: not window.opencase.work.busy)
        self.until(lambda: window.model.trust.summary is not None and window.opencase.quiet)
        self.take("10-model-trained")
        window.rail.go("disputed")
        self.take("11-disputed-none")
        window.opencase.analyse(sorted((paths.sample_case() / "disputed").glob("*.txt")))
        self.until(lambda: not window.opencase.work.busy)
        window.rail.choose_document(window.opencase.shown.disputed[0].id)
        self.until(lambda: window.disputed.strip.picture is not None)
        self.take("12-disputed")
        self.answers()
        self.report()
        self.experiments()
        window.rail.go("disputed")
        shown = window.opencase.shown
        window.opencase.exclude([shown.documents[0].id, shown.documents[1].id], "not suitable for comparison")
        self.take("13-disputed-stale")
        window.rail.go("corpus")
        self.take("14-corpus-excluded")
        for name, opened in (
            ("15-reason", lambda: dialogs.ask_reason(window, 3, print)),
            ("16-about", lambda: dialogs.show_about(window)),
            ("17-shortcuts", lambda: dialogs.show_shortcuts(window, window.menus.keys())),
            (
                "18-unexpected",
                lambda: dialogs.unexpected(window, "ValueError", "builtins.ValueError\n  window.py:12 in x"),
            ),
            ("30-preferences", lambda: _opened(dialogs.Preferences(window, settings.load(), print))),
            ("31-terms", lambda: help.glossary(window)),
            ("32-help", lambda: window.model.settings.findChildren(help.HelpButton)[0].open()),
            (
                "33-mask",
                lambda: _opened(
                    MaskExample(window, window.opencase, {**window.model.settings.options(), "mask": "posnoise"})
                ),
            ),
        ):
            dialog = opened()
            self.until(lambda: window.opencase.quiet)
            self.take(name, widget=dialog)
            dialog.close()
        self.hostile()
        window.close()

    def answers(self) -> None:
        """Everything that an answer rests on, a pair of texts, and the trust page."""
        window = self.window
        answer = window.disputed.answer
        for tab, name in enumerate(("pr-same", "heat-map", "explain", "text", "typical", "sensitivity")):
            answer.tabs.setCurrentIndex(tab)
            self.until(lambda: window.opencase.quiet)
            if name == "explain":
                answer.explain.panel.features.selectRow(2)
                answer.explain.panel.onward.click()
                answer.larger.setChecked(True)
                self.take("20-explain-larger")
                answer.larger.setChecked(False)
            self.take(f"20-{name}")
        answer.tabs.setCurrentIndex(0)
        shown = window.opencase.shown
        window.rail.choose_document(shown.disputed[2].id)
        self.until(lambda: window.opencase.quiet)
        self.take("21-no-opinion")
        answer.origin.kind.setCurrentIndex(1)
        self.take("24-known-source")
        answer.origin.kind.setCurrentIndex(0)
        window.rail.choose_document(shown.disputed[0].id)
        window.rail.go("compare")
        self.take("22-compare-empty")
        window.rail.go("disputed")
        answer.pair.emit(shown.disputed[0].id, 4)
        self.until(lambda: window.compare.panel.isVisible())
        window.compare.panel.features.selectRow(0)
        window.compare.panel.onward.click()
        self.take("22-compare")
        window.compare.more.click()
        self.take("25-several-empty")
        several = window.compare.several
        several.button.click()
        self.until(lambda: several.results.isVisible() and window.opencase.quiet)
        for tab, name in enumerate(("figure", "pairs")):
            several.results.setCurrentIndex(tab)
            self.take(f"25-several-{name}")
        several.keep.click()
        self.until(lambda: bool(window.opencase.shown.comparisons) and window.opencase.quiet)
        self.take("25-several-kept")
        several.back.emit()
        self.take("25-two-kept")
        window.rail.go("model")
        trust = window.model.trust
        for tab in range(trust.tabs.count()):
            trust.tabs.setCurrentIndex(tab)
            self.until(lambda: window.opencase.quiet)
            self.take(f"23-trust-{tab}")
        trust.tabs.setCurrentIndex(0)

    def report(self) -> None:
        """The report as it is filled in and looked at."""
        from forensia.gui.pages import report

        dialog = report.show(self.window, self.window.opencase)
        assert dialog is not None
        self.take("40-report-making", widget=dialog)
        self.until(lambda: dialog.pages.pages > 0 and len(dialog.pages.sheets.pictures) > 0, 900)
        dialog.form.lines["case_number"].setText("2026/114")
        self.take("41-report", widget=dialog)
        dialog.pages.verticalScrollBar().setValue(dialog.pages.verticalScrollBar().maximum() // 3)
        self.until(lambda: dialog.pages.page - 1 in dialog.pages.sheets.pictures)
        self.take("42-report-pages", widget=dialog)
        dialog.close()

    def experiments(self) -> None:
        """A small experiment on the sample: its plan, on its way, paused, done."""
        from forensia.gui.pages.experiments import ExportDialog
        from forensia.gui.pages.experiments.experimenter import ExperimentStage

        window, page = self.window, self.window.experiments
        form, fields = page.form, page.form.fields
        window.rail.go("experiments")
        form.data.published.setChecked(True)
        self.until(lambda: window.opencase.quiet and not form._timer.isActive())
        self.take("50-experiments-data-sets")
        form.data.case.click()
        form.change.click()
        fields.tasks["sav-open"].setChecked(True)
        fields.m.setText("3, 6")
        fields.q.setText("3, 5, 7")
        fields.runs.setValue(3)
        fields.profiles["forensic"].setChecked(False)
        fields.scores.setChecked(True)
        self.until(lambda: form.button.isEnabled() and not page.work.estimates.busy and not form._timer.isActive())
        self.take("51-experiments-own-plan")
        form.button.click()
        self.take("52-experiments-started")
        self.until(lambda: bool(page.work.contents and page.work.contents.done > 4), 900)
        self.take("53-experiments-running")
        page.pause.click()
        self.until(lambda: page.work.stage is ExperimentStage.PAUSED and window.opencase.quiet)
        self.take("54-experiments-paused")
        page.resume.click()
        self.until(lambda: page.work.stage is ExperimentStage.DONE and window.opencase.quiet, 900)
        for tab in range(page.view.figures.count()):
            page.view.figures.setCurrentIndex(tab)
            self.until(lambda: window.opencase.quiet)
            self.take(f"55-experiments-done-{tab}")
        dialog = _opened(ExportDialog(page, print))
        self.take("56-experiments-export", widget=dialog)
        dialog.close()

    def hostile(self) -> None:
        """Texts with problems of every severity and names that try to be more than names."""
        window = self.window
        with tempfile.TemporaryDirectory() as folder:
            make_hostile(Path(folder))
            window.opencase.read(Path(folder))
            self.until(lambda: not window.opencase.work.busy)
            window.corpus.line.setChecked(True)
            window.corpus.documents.filter.setText("hidden")
            window.corpus.documents.table.selectRow(0)
            self.until(lambda: window.corpus.chart.picture is not None)
            self.take("19-corpus-problems")
            codes = [finding.problem.code for finding in window.opencase.shown.findings]
            finding = window.opencase.shown.findings[codes.index("zero-width")]
            window.opencase.ignore(finding, "looked at by hand; the characters come from the mail program")
            panel = window.corpus.panel
            panel.list.setCurrentIndex(panel.model.index(panel.model.rowCount() - 1, 0))
            self.take("34-corpus-ignored")

    def take(self, name: str, *, widget: object = None) -> None:
        """Save a state in both themes and sizes."""
        from PySide6.QtWidgets import QWidget

        for size in SIZES:
            self.window.resize(*size)
            for theme in ("light", "dark"):
                self.window.set_theme(theme)
                self.settle()
                target = widget if isinstance(widget, QWidget) else self.window
                target.grab().save(str(self.out / f"{name}-{theme}-{size[0]}.png"))

    def settle(self) -> None:
        """Let plots be drawn for another size or theme."""
        end = time.monotonic() + 0.5
        while time.monotonic() < end or self.window.opencase.drawer.busy:
            self.app.processEvents()
            time.sleep(0.005)

    def until(self, true: Callable[[], bool], seconds: float = 300) -> None:
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end:
                raise TimeoutError
            self.app.processEvents()
            time.sleep(0.005)


def _opened(dialog: Any) -> Any:
    dialog.open()
    return dialog


SENTENCE = "The harbour was quiet that morning, and nobody on the quay would say where the {0} boat had gone. "


def make_hostile(folder: Path) -> None:
    """A folder of authors with hostile names and texts with problems."""
    authors = (
        "<b>Bold & Co",
        "$\\undefined$",
        "_smith",
        "محمد بن عبد الله",
        "A name that is very much longer than any column of any table will ever be wide " * 2,
    )
    for number, author in enumerate(authors):
        home = folder / author.replace("/", "")
        home.mkdir()
        for text in range(3):
            words = " ".join(SENTENCE.format(f"{number}{text}{line}") for line in range(14))
            (home / f"text {text}.txt").write_text(words, encoding="utf-8")
    first = folder / authors[0]
    (first / "hidden.txt").write_text(
        "On 3 May 2024, Ann wrote:\n> You said it would be ready.\n> It was not.\n\n"
        + "A zero\u200bwidth space and a tu\u202ern. "
        + " ".join(SENTENCE.format(f"h{line}") for line in range(14)),
        encoding="utf-8",
    )
    (first / "old encoding.txt").write_bytes(("A caf\u00e9 \u201cwith quotes\u201d. " + SENTENCE * 8).encode("cp1252"))
    (first / "empty.txt").write_text("  \n", encoding="utf-8")
    (first / "broken.txt").write_bytes(b"\xff\xfe\xfa broken \xc3\x28 bytes " * 20)
    (folder / "_smith" / "copy.txt").write_text((first / "text 1.txt").read_text("utf-8"), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
