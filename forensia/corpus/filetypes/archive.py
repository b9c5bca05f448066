"""Zip archives that may be bombs: everything a table of contents can tell is checked before a byte is unpacked.

zipfile of the standard library is safe with names here, for nothing is ever extracted to disk.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator

from forensia.corpus.filetypes.extraction import Limits, Refusal, damaged, too_large

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENTRY = b"PK\x01\x02"
_CHUNK = 1 << 20
_HARMLESS = 4_000_000  # unpacked bytes below which a ratio proves nothing
# What word processors write; the others (bzip2, LZMA) are a way to make us use memory.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError, struct.error, IndexError)


def locked(file: str) -> Refusal:
    """The refusal of an encrypted file."""
    return Refusal("encrypted", file, "password")


class Archive:
    """The entries of a zip file in memory, by name, in any case of letters."""

    def __init__(self, data: bytes, file: str, limits: Limits) -> None:
        self._file, self._limits = file, limits
        if data.startswith(_OLE):
            raise Refusal("encrypted", file, "or old")
        # Counted before zipfile makes an object of each: every entry of the table of contents begins like this.
        if data.count(_ENTRY) > limits.entries:
            raise too_large(file, "entries", limit=limits.entries)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            infos = self._zip.infolist()
        except _BROKEN as error:
            raise damaged(file) from error
        self._infos = {info.filename.lower().lstrip("/"): info for info in infos}
        if len(self._infos) < len(infos):
            raise damaged(file, "same names")

    def __contains__(self, entry: str) -> bool:
        return entry.lower() in self._infos

    def names(self) -> list[str]:
        return list(self._infos)

    def chunks(self, entry: str) -> Iterator[bytes]:
        """The bytes of an entry, after it was found to be no bomb."""
        info = self._infos.get(entry.lower())
        if info is None:
            raise damaged(self._file, "lacks a part")
        if info.flag_bits & 1:
            raise locked(self._file)
        if info.compress_type not in _METHODS:
            raise damaged(self._file, "packing")
        bomb = info.file_size > _HARMLESS and info.file_size > self._limits.ratio * max(info.compress_size, 1)
        if bomb or info.file_size > self._limits.unpacked:
            raise Refusal("zip-bomb", self._file, "ratio" if bomb else "size", size=info.file_size / 1e6)
        return self._read(info)

    def _read(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        # zipfile stops at the size that was declared and checks the sum, so a table of contents that lies is found out.
        try:
            with self._zip.open(info) as stream:
                while chunk := stream.read(_CHUNK):
                    yield chunk
        except Refusal:
            raise
        except _BROKEN as error:
            raise damaged(self._file) from error
