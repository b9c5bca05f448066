"""What was dropped on the window: a case, known texts, or disputed ones. The whole window is one target."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QMimeData

from forensia.corpus.layouts.records import JSON, SEPARATED
from forensia.corpus.walking import shown
from forensia.errors import InputError
from forensia.gui.words import tr

POPULATION = ".population"  # the ending of `case.populationfile`, which the window need not load
COLLECTIONS = (*sorted(SEPARATED), *sorted(JSON), POPULATION)
"""The endings of files that hold texts of many authors."""

MOST = 1_000


class Kind(Enum):
    CASE = "case"
    CORPUS = "corpus"
    TEXTS = "texts"


@dataclass(frozen=True)
class Drop:
    """Files of one kind."""

    kind: Kind
    paths: tuple[Path, ...]


def files_of(data: QMimeData) -> tuple[Path, ...]:
    """The local files of a drag; what lies on the network by address, or is no file, is not among them."""
    return tuple(Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile() and url.toLocalFile())


def kind_of(paths: tuple[Path, ...]) -> Drop:
    """What to do with dropped files; raises InputError with the reason when nothing can be done."""
    if not paths:
        raise InputError(tr("What was dropped is no file on this computer. Save it first, then drop the file."))
    if len(paths) > MOST:
        text = tr("{0} files were dropped at once. Put known texts in a folder and drop the folder.")
        raise InputError(text.format(f"{len(paths):,}"))
    for path in paths:
        if not path.exists():
            text = tr("'{0}' is not there any more. Drop it again from where it is now.")
            raise InputError(text.format(shown(str(path))))
    first = paths[0]
    whole = [path for path in paths if path.is_dir() or path.suffix.lower() in {".forensia", *COLLECTIONS}]
    if whole and len(paths) > 1:
        text = tr(
            "'{0}' was dropped together with other files. Drop one case, one folder or one table at a time, or several texts."
        )
        raise InputError(text.format(shown(whole[0].name)))
    if not whole:
        return Drop(Kind.TEXTS, paths)
    if first.is_dir():
        return Drop(Kind.CORPUS, paths)
    return Drop(Kind.CASE if first.suffix.lower() == ".forensia" else Kind.CORPUS, paths)


def texts_of(data: QMimeData) -> tuple[Path, ...]:
    """The files of a drag that are single texts; none where it is anything else."""
    try:
        drop = kind_of(files_of(data))
    except InputError:
        return ()
    return drop.paths if drop.kind is Kind.TEXTS else ()
