"""What there is to know about the known texts: their problems, each with its next step; their sources; and what they will allow."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QFrame, QListView, QPushButton, QScrollArea, QStyledItemDelegate, QStyleOptionViewItem

from forensia.corpus import Corpus, Role, Severity
from forensia.evidence.possible import possible
from forensia.gui import theme, widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.pages.corpus.decisions import CorpusDecisions
from forensia.gui.snapshot import Finding, Snapshot
from forensia.gui.widgets import Index, fields
from forensia.gui.widgets.table import RowColumn, RowsModel, offer_export
from forensia.gui.words import tr
from forensia.report.spreadsheets import ReportTable
from forensia.wording import reasons
from forensia.wording.problems import message, next_step

_ENCODING_CODES = ("undecodable", "encoding-proposed", "lost-characters", "mojibake")
_MERGE_CODES = ("similar-authors",)
_COLOURS = {Severity.BLOCKING: "blocking", Severity.WARNING: "warning", Severity.NOTE: "quiet"}
"""The colour that goes with a severity; its icon has a form of its own."""


def in_words(finding: Finding) -> str:
    """The message of a problem, and how many others are like it."""
    problem = finding.problem
    file = f"'{problem.file}': " if problem.file and problem.file not in message(problem) else ""
    counted = words.counted(finding.more, tr("more document"), tr("more documents"))
    more = f" ({tr('{0} like this').format(counted)})" if finding.more else ""
    return f"{file}{message(problem)}{more}"


def _line(finding: Finding) -> str:
    return f"{tr('Ignored')} · {in_words(finding)}" if finding.ignored else in_words(finding)


def _tip(finding: Finding) -> str:
    why = f"\n{tr('Ignored: {0}').format(finding.ignored)}" if finding.ignored else ""
    return f"{in_words(finding)}\n{next_step(finding.problem)}{why}"


def _icon(finding: Finding) -> QIcon:
    severity = finding.problem.severity
    return theme.icon(severity.value, getattr(theme.now(), _COLOURS[severity]))


def findings_model(parent: QObject | None = None) -> RowsModel[Finding]:
    """The problems as lines, the gravest first."""
    column: RowColumn[Finding] = RowColumn(
        "",
        _line,
        tip=_tip,
        spoken=lambda finding: f"{finding.problem.severity.value}: {in_words(finding)}",
        roles={
            Qt.ItemDataRole.ForegroundRole: lambda finding: QColor(theme.now().quiet) if finding.ignored else None,
            Qt.ItemDataRole.DecorationRole: _icon,
        },
    )
    return RowsModel((column,), parent, key=lambda finding: finding)


class ProblemLine(QPushButton):
    """The one line that says how it stands; pressing it opens the list."""

    def __init__(self) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setProperty("flat", True)
        self.setIconSize(QSize(18, 18))

    def show_case(self, shown: Snapshot) -> None:
        blocking, warnings, notes = (shown.count(each) for each in (Severity.BLOCKING, Severity.WARNING, Severity.NOTE))
        parts = []
        if blocking:
            parts.append(tr("{0} must be solved before training").format(blocking))
        if warnings:
            parts.append(words.counted(warnings, tr("warning"), tr("warnings")))
        if notes:
            parts.append(words.counted(notes, tr("note"), tr("notes")))
        ignored = sum(bool(finding.ignored) for finding in shown.findings)
        if ignored:
            parts.append(tr("{0} ignored").format(ignored))
        text = " · ".join(parts) if parts else tr("No problems found")
        self.setText(f"{text}   {'▴' if self.isChecked() else '▾'}" if parts else text)
        self.setAccessibleName(tr("Problems: {0}").format(text))
        self.setCheckable(bool(parts))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if parts else Qt.FocusPolicy.NoFocus)
        sign, colour = ("note", "quiet") if parts else ("done", "support")
        if blocking or warnings:
            sign = colour = "blocking" if blocking else "warning"
        self.setIcon(theme.icon(sign, getattr(theme.now(), colour)))


class _OneLine(QStyledItemDelegate):
    """A line as wide as the list, so that what does not fit is elided instead of scrolled to."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(40, super().sizeHint(option, index).height() + 2)


class ProblemPanel(QFrame):
    """The list, and what can be done about the chosen problem."""

    show_documents = Signal(object)

    def __init__(self, decisions: CorpusDecisions) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._left_out: frozenset[str] = frozenset()
        self._writable = True
        self.model = findings_model(self)
        self.list = fields.named(QListView(), tr("Problems"))
        self.list.setModel(self.model)
        self.list.setIconSize(QSize(16, 16))
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(_OneLine(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._show())
        offer_export(self.list, tr("Problems"), self._table)
        self.message = widgets.label(bold=True)
        self.next_step = widgets.label()
        self.why = widgets.label(quiet=True)
        self.see = widgets.button(tr("Show documents"), self._with_documents(self.show_documents.emit))
        self.out = widgets.button(tr("Leave out…"), self._with_documents(decisions.exclude))
        self.back = widgets.button(tr("Take back in"), self._with_documents(decisions.include))
        self.other = widgets.button(tr("Change author…"), self._with_documents(decisions.reassign))
        self.one = widgets.button(tr("Merge authors…"), self._with_documents(decisions.merge))
        self.encoding = widgets.button(
            tr("Choose encoding…"), self._with_finding(lambda finding: decisions.choose_encoding(finding.files))
        )
        self.aside = widgets.button(tr("Ignore…"), self._with_finding(decisions.ignore))
        self.up = widgets.button(tr("Stop ignoring"), self._with_finding(decisions.stop_ignoring))
        buttons = (self.see, self.out, self.back, self.other, self.one, self.encoding, self.aside, self.up)
        said = widgets.column(self.message, self.next_step, self.why, widgets.spring(), margins=(0, 0, 6, 0))
        area = widgets.scrolled(widgets.panel(said), tr("The chosen problem"))  # the message may name many files
        right = widgets.column((area, 1), widgets.row(*buttons, widgets.spring()))
        self.setLayout(widgets.row((self.list, 4), (right, 5), margins=12, spacing=16))
        self.setMaximumHeight(230)

    def show_case(self, shown: Snapshot) -> None:
        row = self.list.currentIndex().row()
        self._left_out = frozenset(each.id for each in shown.documents if each.excluded is not None)
        self._writable = not shown.read_only
        self.model.set_rows(shown.findings)
        if self.model.rowCount():
            self.list.setCurrentIndex(self.model.index(min(max(row, 0), self.model.rowCount() - 1), 0))
        self._show()

    def _finding(self) -> Finding | None:
        row = self.list.currentIndex().row()
        return self.model.rows[row] if 0 <= row < len(self.model.rows) else None

    def _show(self) -> None:
        """The chosen problem in words, and the buttons that can do something about it."""
        finding = self._finding()
        self.message.setText(in_words(finding) if finding else "")
        self.next_step.setText(tr("Next: {0}").format(next_step(finding.problem)) if finding else "")
        self.why.setText(tr("Ignored: {0}").format(finding.ignored) if finding and finding.ignored else "")
        names = frozenset(finding.documents) if finding else frozenset()
        code = finding.problem.code if finding else ""
        solvable = self._writable and finding is not None
        for button, wanted in (
            (self.see, bool(names)),
            (self.out, solvable and bool(names - self._left_out)),
            (self.back, solvable and bool(names & self._left_out)),
            (self.other, solvable and bool(names) and code not in _MERGE_CODES),
            (self.one, solvable and code in _MERGE_CODES),
            (self.encoding, solvable and bool(finding and finding.files) and code in _ENCODING_CODES),
            (self.aside, solvable and bool(finding and _can_be_ignored(finding))),
            (self.up, solvable and bool(finding and finding.ignored)),
        ):
            button.setVisible(wanted)

    def _with_finding(self, act: Callable[[Finding], object]) -> Callable[[], None]:
        def pressed() -> None:
            finding = self._finding()
            if finding is not None:
                act(finding)

        return pressed

    def _with_documents(self, act: Callable[[tuple[str, ...]], object]) -> Callable[[], None]:
        return self._with_finding(lambda finding: act(finding.documents))

    def _table(self) -> ReportTable:
        heads = (tr("Severity"), tr("Problem"), tr("Next step"), tr("Documents"), tr("Ignored because"))
        rows = tuple(
            (each.problem.severity.value, in_words(each), next_step(each.problem), len(each.documents), each.ignored)
            for each in self.model.rows
        )
        return ReportTable(tr("Problems"), heads, rows)


def _can_be_ignored(finding: Finding) -> bool:
    """What must be solved cannot be talked away."""
    return not finding.ignored and finding.problem.severity is not Severity.BLOCKING


class SourceLine(QFrame):
    """Asks above the documents what they come from, or proposes it; it goes when nothing is left to ask.

    A proposal comes before the question: it may answer it.
    """

    together = Signal()

    def __init__(self, decisions: CorpusDecisions) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.proposal: Finding | None = None
        self.text = widgets.label()
        self.accept = widgets.button(tr("Use"), self._with_proposal(decisions.use))
        self.decline = widgets.button(tr("Ignore"), self._with_proposal(decisions.decline))
        self.own = widgets.button(
            tr("Each from an occasion of its own…"), lambda: decisions.each_its_own(decisions.every)
        )
        self.some = widgets.button(tr("I will say which belong together"), self._together)
        self.none = widgets.button(tr("Not known"), decisions.not_known)
        buttons = (self.accept, self.decline, self.own, self.some, self.none)
        self.setLayout(widgets.row((self.text, 1), *buttons, margins=(12, 6, 12, 6), spacing=8))
        self.hide()

    def show_case(self, shown: Snapshot) -> None:
        proposals = [] if shown.read_only else [each for each in shown.proposals if not each.ignored]
        self.proposal = proposals[0] if proposals else None
        asking = self.proposal is None and shown.sources_unasked and not shown.read_only
        for button in (self.accept, self.decline):
            button.setVisible(self.proposal is not None)
        for button in (self.own, self.some, self.none):
            button.setVisible(asking)
        if self.proposal is not None:
            self.text.setText(message(self.proposal.problem))
        elif asking:
            self.text.setText(tr("Where do these texts come from? Figures for a text from a new source rest on it."))
        self.setVisible(asking or self.proposal is not None)

    def _with_proposal(self, act: Callable[[Finding], object]) -> Callable[[], None]:
        def pressed() -> None:
            if self.proposal is not None:
                act(self.proposal)

        return pressed

    def _together(self) -> None:
        self.some.hide()
        self.text.setText(tr("Choose texts of one source in the table, then press Sources."))
        self.together.emit()


class Prospects(QScrollArea):
    """A sign and a name for each, and a sentence below it.

    As long as all texts came together it also asks whether their authors are candidates: `role` wants them all to be the other.
    """

    role = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("What will be possible with these texts"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.title = widgets.label(bold=True)
        self.rows = [(widgets.label(bold=True), widgets.label(quiet=True)) for _ in reasons.POSSIBLE]
        self._other = Role.POPULATION
        self.turn = widgets.button("", lambda: self.role.emit(self._other))
        top = [(HelpButton(topic), Qt.AlignmentFlag.AlignTop) for topic in ("possible", "roles")]
        listed: list[widgets.Part] = []
        for name, sentence in self.rows:
            listed += [widgets.gap(6), name, sentence]
        self.setWidget(
            widgets.panel(
                widgets.column(
                    widgets.row((self.title, 1), *top),
                    *listed,
                    widgets.gap(10),
                    (self.turn, Qt.AlignmentFlag.AlignLeft),
                    widgets.spring(),
                    margins=(2, 8, 8, 4),
                    spacing=4,
                )
            )
        )

    def show_case(self, shown: Snapshot) -> None:
        """Look at the texts as they now are."""
        roles = {each.role for each in shown.documents}
        self._other = Role.CANDIDATE if roles == {Role.POPULATION} else Role.POPULATION
        to_candidates = self._other is Role.CANDIDATE
        self.turn.setText(
            tr("They are candidates") if to_candidates else tr("None is a candidate: they are a population")
        )
        self.turn.setVisible(len(roles) == 1 and shown.model is None and not shown.read_only)
        listed = possible(Corpus.of(shown.documents), shown.population)
        title = tr("Nothing yet: there must be a candidate, and somebody else. Add texts, or change a role.")
        if listed:
            title = tr("What will be possible with these texts")
        if listed and shown.held:
            title = tr("What will be possible with these texts and a population of {0} authors, which came as a file")
            title = title.format(f"{shown.held:,}")
        self.title.setText(title)
        for place, (name, sentence) in enumerate(self.rows):
            for label in (name, sentence):
                label.setVisible(place < len(listed))
            if place < len(listed):
                each = listed[place]
                name.setText(f"{'✓' if each.possible else '○'} {reasons.POSSIBLE[each.what]}")
                name.setAccessibleDescription(tr("possible") if each.possible else tr("not possible"))
                sentence.setText(reasons.sentence(each.reason))
