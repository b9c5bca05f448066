"""One form for every text: the same words typed on two machines must give the same features."""

from __future__ import annotations

import re
import unicodedata

NUL_SIGN = "␀"
"""Stands for a NUL character: databases, windows and PDF would cut the text at the real one."""

_OTHER_LINE_ENDS = ("\x85", "\u2028", "\u2029")
_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")


def normalise(text: str) -> str:
    """NFC, line ends as LF, no byte order mark in front, NUL made visible, halves of characters replaced by U+FFFD.

    Nothing else changes: hidden characters stay where they are, because they are findings. Doing it twice changes nothing.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", NUL_SIGN)
    if text.isascii():
        return text
    text = text.lstrip("\ufeff")
    for line_end in _OTHER_LINE_ENDS:
        text = text.replace(line_end, "\n")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = _HALF_CHARACTERS.sub("\ufffd", text)
    return unicodedata.normalize("NFC", text)
