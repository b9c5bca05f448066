"""Mail (.eml) and mailboxes (.mbox): the text the sender wrote, with subject and sender.

The standard library's email package in its plain (compat32) form: its newer header parser takes quadratic time on hostile
headers. Attachments and attached messages are other documents, often by other authors: they are counted, never read.
"""

from __future__ import annotations

import email
import re
from collections import Counter
from collections.abc import Iterator
from email.errors import CloseBoundaryNotFoundDefect, HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import parseaddr

from forensia.corpus.document import SHARED, Problem
from forensia.corpus.filetypes.extraction import (
    ExtractedPart,
    Extraction,
    Limits,
    Refusal,
    damaged,
    decoded,
    finished,
    notes_on,
    too_large,
)
from forensia.corpus.filetypes.untrusted import locked
from forensia.corpus.filetypes.webpage import HtmlPage

_HEADERS = ("From", "Subject", "Date", "Received", "Message-ID", "MIME-Version", "Content-Type", "To")
_SIGNATURES = frozenset({"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"})
_ENCRYPTED = frozenset({"application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_REPLY = re.compile(r"^\s*(?:(?:re|fwd?|aw|wg|sv|vs|antw|tr|rif|ref)\s*(?:\[\d{1,4}\])?\s*:\s*)+", re.IGNORECASE)
# Every mailbox program writes the time of arrival in this line; a sentence that begins with "From" has none.
_SEPARATOR = re.compile(rb"^From \S{1,200} [^\r\n]{0,100}\d\d:\d\d[^\r\n]{0,100}(?:\r?\n|\Z)", re.MULTILINE)
_QUOTED_FROM = re.compile(rb"^>(>{0,100}From )", re.MULTILINE)
_LONGEST_HEADER = 2_000
_THREAD = ("References", "In-Reply-To", "List-Id")  # what tells where a message belongs, if it has no subject


def read(data: bytes, file: str, limits: Limits) -> Extraction:
    """The text of one message."""
    counts: Counter[str] = Counter()
    part, notes = _Reading(file, limits, counts).message(data)
    return finished([part], notes + notes_on(counts), file, limits)


def read_mailbox(data: bytes, file: str, limits: Limits) -> Extraction:
    """The texts of all messages of a mailbox; one that cannot be read does not stop the others."""
    counts: Counter[str] = Counter()
    reading = _Reading(file, limits, counts)
    parts: list[ExtractedPart] = []
    notes: dict[Problem, None] = {}
    characters = 0
    for number, message in enumerate(_messages(data, file)):
        if number >= limits.messages:
            raise too_large(file, "messages", limit=limits.messages)
        try:
            part, found = reading.message(message)
        except Refusal as refusal:
            counts["empty-messages" if refusal.code == "no-text" else "unread-messages"] += 1
            continue
        parts.append(part)
        notes.update(dict.fromkeys(found))
        characters += len(part.text)
        if characters > limits.characters:
            raise too_large(file, "characters", limit=limits.characters)
    if not parts:
        raise Refusal("no-text", file, "mailbox")
    return finished(parts, (*notes, *notes_on(counts)), file, limits)


def _messages(data: bytes, file: str) -> Iterator[bytes]:
    separators = list(_SEPARATOR.finditer(data))
    if not separators or data[: separators[0].start()].strip(b"\xef\xbb\xbf\r\n "):
        raise Refusal("wrong-type", file, "mailbox")
    ends = [match.start() for match in separators[1:]] + [len(data)]
    for match, end in zip(separators, ends, strict=True):
        yield _QUOTED_FROM.sub(rb"\1", data[match.end() : end])


class _Reading:
    """What is common to the messages of one file."""

    def __init__(self, file: str, limits: Limits, counts: Counter[str]) -> None:
        self._file, self._limits, self._counts = file, limits, counts

    def message(self, data: bytes) -> tuple[ExtractedPart, tuple[Problem, ...]]:
        try:
            message = email.message_from_bytes(data)
            self._check_depth(message)
        except RecursionError as error:
            raise self._too_deep() from error
        if not any(name in message for name in _HEADERS):
            raise Refusal("wrong-type", self._file, "mail")
        counts: Counter[str] = Counter()
        notes: dict[Problem, None] = {}
        found = self._texts(message, counts, notes)
        if not found:
            raise self._nothing(message, counts)
        counts["html-only"] = int(any(kind == "html" for kind, _, _ in found))
        self._counts.update(counts)
        text = "\n\n".join(text.strip("\r\n") for _, text, _ in found)
        subject = self._header(message, "Subject")
        thread = _REPLY.sub("", subject).strip() or next(
            (said.partition(" ")[0] for name in _THREAD if (said := self._header(message, name))), ""
        )
        name, address = parseaddr(self._header(message, "From"))
        source = f"{SHARED} {thread}" if thread else ""  # others write in it too
        return ExtractedPart(text, subject, name or address, source, found[0][2]), tuple(notes)

    def _check_depth(self, message: Message) -> None:
        level = [message]
        for _ in range(self._limits.mime_depth):
            level = [part for parent in level if parent.is_multipart() for part in _children(parent)]
            if not level:
                return
        raise self._too_deep()

    def _too_deep(self) -> Refusal:
        return too_large(self._file, "parts", limit=self._limits.mime_depth)

    def _nothing(self, message: Message, counts: Counter[str]) -> Refusal:
        kinds = {part.get_content_type() for part in message.walk()}
        if kinds & _ENCRYPTED:
            return locked(self._file)
        return Refusal("no-text", self._file, "attached messages" if counts["attached-messages"] else "message")

    def _texts(self, part: Message, counts: Counter[str], notes: dict[Problem, None]) -> list[tuple[str, str, str]]:
        """Kind, text and encoding of everything the sender wrote in this part of the message."""
        kind = part.get_content_type()
        if any(isinstance(defect, CloseBoundaryNotFoundDefect) for defect in part.defects):
            counts["cut-off"] += 1
        if kind == "message/rfc822":
            counts["attached-messages"] += 1
            return []
        if part.is_multipart():
            found = [self._texts(child, counts, notes) for child in _children(part)]
            if kind == "multipart/alternative":
                return _best(found)
            return [text for texts in found for text in texts]
        if part.get_content_maintype() == "multipart":
            raise damaged(self._file)
        if kind in _SIGNATURES or kind in _ENCRYPTED:
            return []
        aside = part.get_content_disposition() == "attachment" or part.get_filename() is not None
        if aside or kind not in ("text/plain", "text/html"):
            counts["attachments"] += 1
            return []
        return self._text(part, kind, counts, notes)

    def _text(
        self, part: Message, kind: str, counts: Counter[str], notes: dict[Problem, None]
    ) -> list[tuple[str, str, str]]:
        payload = part.get_payload(decode=True)
        if not isinstance(payload, bytes) or not payload.strip():
            return []
        text, encoding, found = decoded(payload, part.get_content_charset() or "", self._file)
        notes.update(dict.fromkeys(found))
        if kind == "text/html":
            page = HtmlPage(text)
            counts.update({code: page.counts[code] for code in ("hidden-text", "remote-content") if page.counts[code]})
            return [("html", page.text, encoding)] if page.text.strip() else []
        text = text.replace("\r\n", "\n")
        if str(part.get_param("format", "")).lower() == "flowed":
            text = unflowed(text, str(part.get_param("delsp", "")).lower() == "yes")
        return [("plain", text, encoding)] if text.strip() else []

    def _header(self, message: Message, name: str) -> str:
        raw = message.get(name, "")
        pieces: list[str] = []
        try:
            for piece, declared in decode_header(raw):
                if isinstance(piece, bytes):
                    piece = decoded(piece, declared or "", self._file)[0]
                pieces.append(piece)
        except (HeaderParseError, Refusal, ValueError):
            pieces = [str(raw)]
        return " ".join("".join(pieces)[:_LONGEST_HEADER].split())


def _children(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def _best(found: list[list[tuple[str, str, str]]]) -> list[tuple[str, str, str]]:
    """Of several forms of the same text, the plain one."""
    for texts in found:
        if texts and all(kind == "plain" for kind, _, _ in texts):
            return texts
    return next((texts for texts in found if texts), [])


def unflowed(text: str, delete_space: bool = False) -> str:
    """Join the lines that a mail program broke for transport (RFC 3676), so that line ends are the sender's."""
    lines: list[list[str]] = []
    open_depth = -1  # quotation depth of a line that goes on, -1 for none
    for line in text.split("\n"):
        body = line.lstrip(">")
        depth = len(line) - len(body)
        body = body.removeprefix(" ")
        goes_on = body.endswith(" ") and body != "-- "
        if open_depth != depth or body == "-- ":
            lines.append(["> ".rjust(depth + 1, ">") if depth else ""])
        lines[-1].append(body[:-1] if goes_on and delete_space else body)
        open_depth = depth if goes_on else -1
    return "\n".join(map("".join, lines))
