"""What the child process does for the window, called without one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import spacy

from forensia import paths
from forensia.case.store import Case
from forensia.corpus import read_corpus
from forensia.gui import errands, tasks
from forensia.jobs import silent
from forensia.jobs.errands import Errands
from forensia.language import EMBEDDED


class Noted:
    """Does errands in this process and notes what was asked."""

    asked: dict[str, Any]

    def do(self, target: str, arguments: dict[str, Any], progress: object) -> object:
        self.asked = arguments
        return getattr(errands, target.rpartition(":")[2])(silent, lambda news: None, **arguments)


def test_a_mask_is_shown_in_the_language_that_is_chosen_for_training(tmp_path: Path) -> None:
    blank, listed = tmp_path / "german", tmp_path / "words.txt"
    spacy.blank("de").to_disk(blank)
    listed.write_text("der\ndie\ndas\n", "utf-8")
    work = Noted()
    with Case.create(tmp_path / "a.forensia") as case:
        case.store_corpus(read_corpus(paths.sample_case() / "known"))
        name = case.documents()[0].id

        def shown(**options: str) -> dict[str, str]:
            wanted = {"mask": "posnoise", "language": EMBEDDED, "function_words": "", **options}
            return dict(tasks.masked(cast(Errands, work), case, name, {**wanted, "seed": 0})(silent))

        english = shown()
        assert english["after"] != english["before"] and " the " in english["after"]
        assert "seed" not in work.asked
        german = shown(language=str(blank), function_words=str(listed))
        assert german["before"] == german["after"] == english["before"], "a model without tags hides nothing"
        own = shown(function_words=str(listed))
        assert own["after"] != english["after"], "adverbs and the like are hidden that the English list keeps"
