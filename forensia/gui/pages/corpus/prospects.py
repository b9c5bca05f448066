"""What will be possible with the known texts, before anything is trained: each with what it rests on, or what is missing."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea

from forensia.corpus import Corpus, Role
from forensia.evidence.possible import possible
from forensia.gui import widgets
from forensia.gui.help import HelpButton
from forensia.gui.snapshot import Snapshot
from forensia.gui.words import tr
from forensia.wording import reasons


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
