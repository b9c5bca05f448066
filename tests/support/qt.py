"""What tests of the window share about Qt itself."""

from __future__ import annotations

import gc

import shiboken6
from PySide6.QtCore import QObject


def destroy(*objects: QObject) -> None:
    """Take objects of Qt apart now. Python's collector rests meanwhile.

    Qt holds a lock while it destroys an object; another one that is collected in the middle of it may need the same lock, in the
    same thread, and waits for ever.
    """
    gc.collect()
    gc.disable()
    try:
        for each in objects:
            shiboken6.delete(each)
    finally:
        gc.enable()
