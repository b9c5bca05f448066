"""What the analyst decides about known texts, wherever on the Corpus page: what must be asked first is asked here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from PySide6.QtWidgets import QWidget

from forensia.corpus import Document, Role
from forensia.corpus.decoding import ENCODINGS
from forensia.corpus.layouts.records import several
from forensia.corpus.sources import common_name, each_its_own, proposed, shared
from forensia.gui import dialogs
from forensia.gui.opencase import OpenCase
from forensia.gui.snapshot import NOT_KNOWN, Finding
from forensia.gui.words import tr
from forensia.wording.problems import message

_MOST_OFFERED = 500  # sources in the list to choose from


class CorpusDecisions:
    """Takes ids of documents, or a problem, and has the open case do what was chosen; dialogs open above `page`."""

    def __init__(self, page: QWidget, opencase: OpenCase) -> None:
        self._page, self._opencase = page, opencase

    @property
    def every(self) -> list[str]:
        """The ids of all known documents."""
        return [each.id for each in self._documents]

    @property
    def _documents(self) -> tuple[Document, ...]:
        return self._opencase.shown.documents if self._opencase.shown is not None else ()

    def _of(self, names: Sequence[str]) -> Iterator[Document]:
        wanted = set(names)
        return (each for each in self._documents if each.id in wanted)

    # Documents

    def exclude(self, names: Sequence[str]) -> None:
        """Leave documents out, for a reason."""
        listed = list(names)
        if listed:
            dialogs.ask_reason(self._page, len(listed), lambda reason: self._opencase.exclude(listed, reason))

    def include(self, names: Sequence[str]) -> None:
        """Take documents back in."""
        self._opencase.include(list(names))

    def reassign(self, names: Sequence[str]) -> None:
        """Say that another author wrote documents."""
        listed, shown = list(names), self._opencase.shown
        if shown is None or not listed:
            return
        now = next((each.author for each in shown.documents if each.id == listed[0]), "")
        dialogs.ask_author(
            self._page, shown.authors, now, len(listed), lambda author: self._opencase.reassign(listed, author.strip())
        )

    def set_role(self, names: Sequence[str], role: Role) -> None:
        """Make the authors of documents candidates or the population."""
        authors = {each.author for each in self._of(names)}
        if authors:
            self._opencase.set_role(authors, role)

    def merge(self, names: Sequence[str]) -> None:
        """Make several authors one: all their documents get the name that is chosen."""
        authors = tuple(sorted({each.author for each in self._of(names)}))
        listed = [each.id for each in self._documents if each.author in authors]
        if self._documents:
            dialogs.ask_merge(
                self._page, authors, len(listed), lambda author: self._opencase.reassign(listed, author.strip())
            )

    # Sources

    def one_source(self, names: Sequence[str]) -> None:
        """Say that documents come from one source."""
        chosen = list(self._of(names))
        if not chosen:
            return
        sources = tuple(sorted({source for each in self._documents for source in each.sources}, key=str.casefold))
        dialogs.ask_source(
            self._page,
            sources[:_MOST_OFFERED],
            common_name(chosen),
            len(chosen),
            lambda text: self._opencase.set_sources(dict.fromkeys(names, several(text))),
        )

    def each_its_own(self, names: Sequence[str]) -> None:
        """Say that every document is from an occasion of its own."""
        own = each_its_own(self._of(names))
        if own:
            dialogs.ask_why_each(self._page, len(own), lambda because: self._opencase.set_sources(own, because))

    def share(self, names: Sequence[str], between: bool) -> None:
        """Say that the sources of documents are shared between authors, or each author's own: so they are for all who have them."""
        sources = {source for each in self._of(names) for source in each.sources}
        if self._documents:
            self._opencase.set_sources(shared(self._documents, sources, between))

    def no_source(self, names: Sequence[str]) -> None:
        """Say that it is not known what documents come from."""
        self._opencase.set_sources(dict.fromkeys(names, ()))

    def use(self, finding: Finding) -> None:
        """Give documents the source that is proposed."""
        self._opencase.set_sources(proposed(finding.problem))

    def decline(self, finding: Finding) -> None:
        """Do without the source that is proposed."""
        self._opencase.ignore(finding, tr("These texts do not share a source."))

    def not_known(self) -> None:
        """Say that it is not known what any text comes from."""
        self._opencase.ignore(NOT_KNOWN, tr("Not known."))

    # Problems

    def choose_encoding(self, files: Sequence[str]) -> None:
        """Read files again with another encoding."""
        shown = self._opencase.shown
        if shown is None or not files:
            return
        reading = shown.reading

        def answered(encoding: str) -> None:
            chosen = {**reading.encodings, **dict.fromkeys(files, encoding)}
            self._opencase.reread(replace(reading, encodings=chosen))

        dialogs.ask_encoding(self._page, tuple(files), ENCODINGS, answered)

    def ignore(self, finding: Finding) -> None:
        """Set a problem aside, for a reason."""
        dialogs.ask_why_ignored(
            self._page, message(finding.problem), lambda reason: self._opencase.ignore(finding, reason)
        )

    def stop_ignoring(self, finding: Finding) -> None:
        """Take a problem up again that was set aside."""
        self._opencase.stop_ignoring(finding)
