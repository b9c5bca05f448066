"""Rich Text Format: a small reader of our own.

The libraries at hand lose what matters here: they read all bytes in one code page whatever font they are in, show hidden and
deleted text, and recurse with the nesting of the file. This one keeps a stack with a limit, and never recurses.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache

from forensia.corpus.filetypes.extraction import (
    ExtractedPart,
    Extraction,
    Limits,
    Prose,
    Refusal,
    damaged,
    finished,
    notes_on,
    too_large,
)

_TOKEN = re.compile(
    rb"\\(?:(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})?[ ]?|'(?P<hex>[0-9a-fA-F]{2})|(?P<symbol>[^a-zA-Z]))"
    rb"|(?P<brace>[{}])|(?P<plain>[^\\{}\r\n]+)|(?P<ends>[\r\n]+)",
    re.DOTALL,
)
_START = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,100}\{\\rtf\d*")

# Groups that are not the text. Any group that begins with \* and is not known here is left out too, as the format demands.
_IGNORED = frozenset(
    "colortbl stylesheet pict object header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc ftncn"
    " aftnsep aftnsepc aftncn xe tc tcn rxe fldinst listtable pntext listtext pnseclvl filetbl nonshppict sp shprslt"
    " generator subject manager company operator category keywords comment doccomm hlinkbase private template revtbl".split()
)
_COUNTED = {"object": "embedded", "annotation": "comments"}
_COUNTED |= dict.fromkeys(("header", "headerl", "headerr", "footer", "footerl", "footerr"), "headers-footers")
_TRANSPARENT = frozenset({"ud", "shpinst", "shptxt"})  # known after \*
# word -> where we must be for it to mean something, where the text goes from there
_TURNS = {
    "fonttbl": ("", "fonts"),
    "info": ("", "info"),
    "title": ("info", "title"),
    "author": ("info", "author"),
    "upr": ("", "upr"),  # the same text twice, for old readers and, after \\ud, for us
    "ud": ("upr", ""),
}
_BREAKS = frozenset({"par", "sect", "page", "cell", "nestcell", "row", "nestrow"})
_CHARACTERS = {
    "tab": "\t", "line": "\n", "lbr": "\n", "emdash": "—", "endash": "–", "emspace": "\u2003", "enspace": "\u2002",
    "qmspace": "\u2005", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
    "zwj": "\u200d", "zwnj": "\u200c", "ltrmark": "\u200e", "rtlmark": "\u200f",
}  # fmt: skip
_SYMBOLS = {"~": "\u00a0", "-": "\u00ad", "_": "\u2011", "\\": "\\", "{": "{", "}": "}"}
_CODE_PAGES = {"ansi": 1252, "mac": 10000, "pc": 437, "pca": 850}
_CHARSETS = {
    0: 1252, 77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255,
    178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}  # fmt: skip
_SYMBOL_CHARSET = 2
_SPECIAL_NAMES = {10000: "mac_roman", 65001: "utf-8", 1361: "johab", 28591: "latin-1", 20866: "koi8-r"}


def read(data: bytes, file: str, limits: Limits) -> Extraction:
    """The text of an RTF file, its title and author."""
    start = _START.match(data)
    if start is None:
        raise Refusal("wrong-type", file, "rtf")
    parsing = _Parsing(data, file, limits)
    parsing.run()
    part = ExtractedPart(parsing.prose.text(), parsing.info("title"), parsing.info("author"))
    return finished([part], notes_on(parsing.counts), file, limits)


@dataclass(slots=True)
class _State:
    """What a group inherits and forgets at its end."""

    into: str = ""  # "" for the text, "title" and "author"; what goes into "info", "fonts", "upr", "ignored" is lost
    star: bool = False
    font: int = -1
    skip: int = 1  # characters after \u that repeat it for old readers
    hidden: bool = False
    deleted: bool = False


class _Parsing:
    """One pass over the tokens."""

    def __init__(self, data: bytes, file: str, limits: Limits) -> None:
        self.prose = Prose()
        self.counts: Counter[str] = Counter()
        self._data, self._file, self._limits = data, file, limits
        self._info: dict[str, list[str]] = {"title": [], "author": []}
        self._stack: list[_State] = []
        self._state = _State()
        self._outer: list[tuple[int, Prose, bool]] = []  # depth of a note or text box, the text around it, endnote
        self._bytes = bytearray()
        self._code_page = 1252
        self._fonts: dict[int, int] = {}  # font -> code page; 0 for a font of symbols
        self._new_font = -1
        self._default_font = -1
        self._to_skip = 0
        self._dropping = ""

    def info(self, key: str) -> str:
        return " ".join("".join(self._info[key]).split())

    def run(self) -> None:
        position, data, match = 0, self._data, _TOKEN.match
        while position < len(data):
            token = match(data, position)
            if token is None:  # a backslash as the very last byte
                break
            position = token.end()
            kind = token.lastgroup
            if kind == "plain":
                self._plain(token["plain"])
            elif kind == "hex":
                self._plain(bytes((int(token["hex"], 16),)))
            elif kind == "brace":
                self._brace(token["brace"] == b"{")
                if not self._stack:
                    return
            elif kind == "symbol":
                self._symbol(token["symbol"].decode("latin-1"))
            elif kind != "ends":
                word, number = token["word"].decode(), token["number"]
                value = int(number) if number is not None else None
                if word == "bin":
                    position += max(value or 0, 0)
                elif self._to_skip:
                    self._to_skip -= 1
                else:
                    self._word(word, value)
        raise damaged(self._file, "middle")

    def _brace(self, opening: bool) -> None:
        self._flush()
        self._to_skip = 0
        if opening:
            if len(self._stack) >= self._limits.depth:
                raise too_large(self._file, "groups", limit=self._limits.depth)
            self._stack.append(self._state)
            self._state = replace(self._state, star=False)
            return
        if not self._stack:
            raise damaged(self._file)
        if self._outer and self._outer[-1][0] == len(self._stack):
            _, prose, at_end = self._outer.pop()
            inner = self.prose.text().strip()
            self.prose = prose
            (prose.at_end if at_end else prose.after)(inner)
        self._state = self._stack.pop()

    def _symbol(self, symbol: str) -> None:
        if self._to_skip:
            self._to_skip -= 1
        elif symbol == "*":
            self._state.star = True
        elif symbol in ("\r", "\n"):
            self._flush()
            self._break()
        elif symbol in _SYMBOLS:
            self._write(_SYMBOLS[symbol])

    def _word(self, word: str, value: int | None) -> None:
        state = self._state
        self._flush()
        if (state.star and word not in _TRANSPARENT) or word in _IGNORED:
            if not state.into and word in _COUNTED:
                self.counts[_COUNTED[word]] += 1
            state.into, state.star = "ignored", False
        elif word in _TURNS and state.into == _TURNS[word][0]:
            state.into = _TURNS[word][1]
        elif word == "u" and value is not None:
            self._write(chr(value % 65_536))
            self._to_skip = state.skip
        elif word == "uc":
            state.skip = min(max(value or 0, 0), 16)
        elif state.into in ("", "fonts"):
            self._formatting(word, value, state)

    def _formatting(self, word: str, value: int | None, state: _State) -> None:
        on = value != 0
        if word in _CHARACTERS:
            self._write(_CHARACTERS[word])
        elif word in _BREAKS:
            self._break()
        elif word == "f" and value is not None:
            state.font = self._new_font = value
        elif word == "fcharset" and state.into == "fonts":
            self._fonts[self._new_font] = 0 if value == _SYMBOL_CHARSET else _CHARSETS.get(value or 0, self._code_page)
        elif word == "cpg" and state.into == "fonts" and value:
            self._fonts[self._new_font] = value
        elif word == "deff" and value is not None:
            self._default_font = value
        elif word == "ansicpg" and value:
            self._code_page = value
        elif word in _CODE_PAGES:
            self._code_page = _CODE_PAGES[word]
        elif word == "v":
            state.hidden = on
        elif word == "deleted":
            state.deleted = on
        elif word in ("revised", "moveto") and on:
            self.counts["tracked-insertions"] += 1
        elif word == "plain":
            state.hidden = state.deleted = False
            state.font = -1
        elif word in ("footnote", "shptxt"):
            self.counts["footnotes" if word == "footnote" else "text-boxes"] += 1
            self._outer.append((len(self._stack), self.prose, False))
            self.prose = Prose()
        elif word == "ftnalt" and self._outer:
            self._outer[-1] = (*self._outer[-1][:2], True)

    def _plain(self, data: bytes) -> None:
        if self._to_skip:
            skipped = min(self._to_skip, len(data))
            self._to_skip -= skipped
            data = data[skipped:]
        if not self._state.into or self._state.into in self._info:
            self._bytes += data

    def _flush(self) -> None:
        """Decode the bytes since the last word together, because a character may have two."""
        if not self._bytes:
            return
        data = bytes(self._bytes)
        self._bytes.clear()
        font = self._state.font if self._state.font >= 0 else self._default_font
        page = self._fonts.get(font, self._code_page)
        if page == 0 and not self._state.into:
            self.counts["symbols"] += len(data.strip())
            return
        codec = _codec(page)
        self.counts["unknown-code-page"] += not codec and not data.isascii()
        text = data.decode(codec or "cp1252", "replace")
        self.counts["undecodable"] += text.count("\ufffd")
        self._write(text)

    def _write(self, text: str) -> None:
        self._flush()
        state = self._state
        if state.into in self._info:
            self._info[state.into].append(text)
        elif not state.into:
            dropped = "tracked-deletions" if state.deleted else "hidden-text" if state.hidden else ""
            if not dropped:
                self.prose.write(text)
            elif dropped != self._dropping:
                self.counts[dropped] += 1
            self._dropping = dropped

    def _break(self) -> None:
        if not self._state.into and not self._state.deleted:
            self.prose.paragraph()


@lru_cache(maxsize=64)
def _codec(page: int) -> str:
    """Python's name of a code page, or nothing."""
    name = _SPECIAL_NAMES.get(page, f"cp{page}")
    try:
        codecs.lookup(name)
    except LookupError:
        return ""
    return name
