"""What the child process does for the window, called without one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import spacy
from pytestqt.qtbot import QtBot

from forensia import paths
from forensia.case.store import Case
from forensia.corpus import read_corpus
from forensia.gui.opencase import OpenCase
from forensia.gui.tasks import Masked
from forensia.language import EMBEDDED
from support.qt import destroy


class Noted:
    """Does tasks in this process and notes what was asked."""

    asked: dict[str, Any]

    def do(self, task: Callable[..., Any], progress: object, news: object, **arguments: Any) -> Any:
        self.asked = arguments
        return task(progress, news, **arguments)

    def close(self) -> None:
        """Nothing is left behind."""


def test_a_mask_is_shown_in_the_language_that_is_chosen_for_training(qtbot: QtBot, tmp_path: Path) -> None:
    blank, listed = tmp_path / "german", tmp_path / "words.txt"
    spacy.blank("de").to_disk(blank)
    listed.write_text("der\ndie\ndas\n", "utf-8")
    opencase = OpenCase()
    opencase.quick = work = Noted()
    with Case.create(tmp_path / "a.forensia") as opencase.case:
        opencase.case.documents.store(read_corpus(paths.sample_case() / "known"))
        name = opencase.case.documents.known()[0].id

        def shown(**options: str) -> Masked:
            wanted = {"mask": "posnoise", "language": EMBEDDED, "function_words": "", **options}
            found: list[Masked] = []
            opencase.show_masked(name, {**wanted, "seed": 0}, found.append)
            qtbot.waitUntil(lambda: not opencase.trying.busy, timeout=120_000)
            (made,) = found
            return made

        english = shown()
        assert english.after != english.before and " the " in english.after
        assert "seed" not in work.asked
        german = shown(language=str(blank), function_words=str(listed))
        assert german.before == german.after == english.before, "a model without tags hides nothing"
        own = shown(function_words=str(listed))
        assert own.after != english.after, "adverbs and the like are hidden that the English list keeps"
        opencase.case = None
    opencase.end()
    destroy(opencase)
