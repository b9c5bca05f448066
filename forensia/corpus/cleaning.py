"""Passages that are not the author's own words, proposed as cuts: quoted mail, signatures, headers, licences, quotations.

Nothing is removed here. Each step looks for one kind of passage and proposes cuts with a reason; the analyst reviews them, and the
document keeps both the whole text and the cuts. In doubt a passage stays. Mail has no grammar, only habits of mail programs; each pattern
for it is one habit. All work in linear time, because the texts are untrusted: quantifiers are bounded or anchored to a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import chain

from forensia.corpus.characters import count_words
from forensia.corpus.document import Cut

Span = tuple[int, int]

_WROTE = "wrote|writes|schrieb|a écrit|escribió|ha scritto|schreef|escreveu"
_ATTRIBUTION = re.compile(
    r"^[ \t]*(?:(?:On|Am|Le|El|Il|Op|Em)\b|[^\n@]{1,100}@)[^\n]{4,200}(?:\n[^\n]{1,120})?"
    rf"(?<=\s)(?:{_WROTE})\b[^\n]{{0,120}}:[ \t]*$",
    re.M,
)
_MAIL_MARKS = re.compile(r"\S@\S|\d{1,2}[:h]\d{2}")
_QUOTED_LINE = re.compile(r"^[ \t]{0,3}>.*\n?", re.M)
_QUOTED_WORDS = re.compile(r"[ \t]{0,3}>[> \t]*[\"'“‘(]?[^\W\d_]\S*[ \t]+\S")
_ORIGINAL = re.compile(
    r"^[ \t]*-{2,}[ \t]*(?:Original Message|Original Appointment|Ursprüngliche Nachricht|Originalnachricht|"
    r"Message d['’]origine|Message original|Mensaje original|Messaggio originale|Oorspronkelijk bericht|Mensagem original)"
    r"[ \t]*-{2,}",
    re.M | re.I,
)
_FORWARDED = re.compile(
    r"^[ \t]*(?:-{2,}[ \t]*(?:Begin )?(?:Forwarded (?:by|message)|Weitergeleitete Nachricht|Message transféré|"
    r"Mensaje reenviado|Messaggio inoltrato|Doorgestuurd bericht|Mensagem encaminhada)\b"
    r"|(?:Begin forwarded message|Anfang der weitergeleiteten (?:Nachricht|E-Mail)|Début du message (?:réexpédié|transféré)|"
    r"Inicio del mensaje reenviado|Inizio messaggio inoltrato)[ \t]?:[ \t]*$)",
    re.M | re.I,
)
_SUBJECT = "Subject|Betreff|Objet|Asunto|Oggetto|Onderwerp|Assunto"
_SUBJECT_LINE = re.compile(rf"^[ \t]*\*?(?:{_SUBJECT})\*?[ \t]?:", re.M | re.I)
_HEADER = re.compile(
    rf"[ \t]*\*?(?:(?P<sender>From|Von|De|Da|Van)|(?P<to>To|An|À|Para|A|Aan)|(?P<subject>{_SUBJECT})|"
    r"Sent|Date|Cc|Bcc|Reply-To|Importance|Attachments?|Gesendet|Datum|Envoyé|Enviado(?: el)?|Fecha|Inviato|Data|Verzonden)"
    r"\*?[ \t]?:",
    re.I,
)
_TECHNICAL_HEADER = re.compile(
    r"(?:Message-ID|Received|Return-Path|MIME-Version|Content-[A-Za-z-]+|X-[A-Za-z0-9-]+|Delivered-To|In-Reply-To|References|"
    r"User-Agent|Sender|Organization|List-[A-Za-z-]+|DKIM-Signature|Authentication-Results)[ \t]?:",
    re.I,
)
_MAILBOX_LINE = re.compile(r"From \S+ ")
_DATE = re.compile(r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{4}-\d\d-\d\d")
_SEPARATOR = re.compile(r"[ \t]*(?:_{5,}|-{5,}|={5,})[ \t]*")
_BLANK_LINES = re.compile(r"(?:[ \t]*\n){0,4}")
_LONGEST_LEFTOVER = 24
_MOST_HEADERS = 8
_LONGEST_HEADER = 2_000

# Every habit needs one of these; they keep the search away from the many texts that are no mail.
_COLON_LINE = re.compile(r":[ \t]*(?:\n|\Z)")
_MAIL_LINE = re.compile(
    r"\n[ \t]*(?=[->*SsBbOoAa])"
    rf"(?:>|\*?(?i:{_SUBJECT})[*: ]|-{{2,}}[ \t]*(?i:Begin|Original|Urspr|Forward|Weiter|Messa|Mensa|Oorspr|Doorg))"
)


def maybe_mail(text: str) -> bool:
    """A quick look that may be wrong in one direction only: a text it refuses holds no part of a mail."""
    return bool(text.lstrip()[:1] in ("-", ">") or _COLON_LINE.search(text) or _MAIL_LINE.search(text))


def line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def line_end(text: str, offset: int) -> int:
    """The end of the line, its line end included."""
    end = text.find("\n", offset)
    return len(text) if end < 0 else end + 1


def quoted_replies(text: str) -> Iterator[Span]:
    """Lines after '>' with the line that introduces them, and all that follows a header or separator of an original message."""
    if not maybe_mail(text):
        return
    quotes = list(quote_runs(text))
    yield from quotes
    starts = {start for start, _ in quotes}
    for match in _ATTRIBUTION.finditer(text):
        blank = _BLANK_LINES.match(text, min(match.end() + 1, len(text)))
        after = blank.end() if blank else match.end()
        if after in starts:
            yield match.start(), after
        elif _MAIL_MARKS.search(match[0]) and after < len(text):
            # Some programs quote without '>'; then only an address or a time of day tells mail from a novel's letters.
            yield match.start(), len(text)
            break
    original = _ORIGINAL.search(text)
    if original:
        yield original.start(), len(text)
    first = len(text) - len(text.lstrip())
    for start, end in _header_blocks(text):
        if start > first:
            if not _FORWARDED.search(text, 0, end):
                yield start, len(text)
            break


def quote_runs(text: str) -> Iterator[Span]:
    """Runs of lines that begin with '>'; one line alone counts only when it holds words, for '> 5' is arithmetic."""
    start = end = lines = 0
    for match in chain(_QUOTED_LINE.finditer(text), (None,)):
        if match and lines and (match.start() == end or _is_leftover(text, end, match.start())):
            lines += 1
        else:
            if lines > 1 or (lines and _QUOTED_WORDS.match(text, start, end)):
                yield start, end
            start, lines = match.start() if match else 0, 1
        end = match.end() if match else 0


def _is_leftover(text: str, start: int, end: int) -> bool:
    """Whether one short line between two quoted ones is the rest of the first, broken off by a program that wraps quotations."""
    rest = text[start : min(end, start + _LONGEST_LEFTOVER + 2)]
    one_line = rest.find("\n") == len(rest) - 1 and end - start <= _LONGEST_LEFTOVER
    return one_line and start - line_start(text, start - 1) > 50


def _header_blocks(text: str) -> Iterator[Span]:
    """Blocks such as From, Sent, To, Subject, as mail programs write above a message."""
    done = 0
    for match in _SUBJECT_LINE.finditer(text):
        if match.start() < done:
            continue
        start, headers = _headers_above(text, match.start(), done)
        end = line_end(text, match.start())
        headers.append(_HEADER.match(text, match.start()))
        for _ in range(_MOST_HEADERS):
            header = _HEADER.match(text, end)
            if header is None:
                break
            headers.append(header)
            end = line_end(text, end)
        done = end
        parts = {name for header in headers if header for name, value in header.groupdict().items() if value}
        if len(headers) >= 3 and len(parts) >= 2:
            yield _with_head_lines(text, start, "sender" in parts), end


def _headers_above(text: str, start: int, limit: int) -> tuple[int, list[re.Match[str] | None]]:
    """Header lines directly above; a line between two of them is taken as the rest of a long list of addresses."""
    headers: list[re.Match[str] | None] = []
    position, between = start, 0
    while position > limit and len(headers) < _MOST_HEADERS and between < 2:
        above = line_start(text, position - 1)
        if position - above > _LONGEST_HEADER or not text[above:position].strip():
            break
        header = _HEADER.match(text, above)
        position = above
        if header:
            headers.append(header)
            start, between = above, 0
        else:
            between += 1
    return start, headers


def _with_head_lines(text: str, start: int, named: bool) -> int:
    """The start with the separator above it, or with the name and date that Notes writes there instead of From."""
    above, dated = start, False
    for _ in range(3):
        previous = line_start(text, above - 1) if above else above
        line = text[previous : min(above, previous + _LONGEST_HEADER)].strip("\n")
        if not line.strip():
            break
        above = previous
        if _SEPARATOR.fullmatch(line):
            return above
        dated = dated or _DATE.search(line) is not None
    return above if dated and not named else start


def forwarded(text: str) -> Iterator[Span]:
    """From the line that announces a forwarded message to the end."""
    match = _FORWARDED.search(text) if maybe_mail(text) else None
    if match:
        yield match.start(), len(text)


def mail_headers(text: str) -> Iterator[Span]:
    """The headers at the very start; those further down belong to a quoted or forwarded message."""
    begin = position = len(text) - len(text.lstrip())
    if _MAILBOX_LINE.match(text, position):
        position = line_end(text, position)
    names: set[str] = set()
    while position < len(text):
        header = _HEADER.match(text, position) or _TECHNICAL_HEADER.match(text, position)
        end = line_end(text, position)
        if header:
            names.add(header[0].strip(" \t*:").lower())
        elif not names or text[position] not in " \t" or not text[position:end].strip():
            break
        position = end
    if len(names) >= 2:
        while position < len(text) and text[position] == "\n":
            position += 1
        yield begin, position


_DELIMITER = re.compile(r"^--[ \t]?$", re.M)
_CLOSING = re.compile(
    r"^[ \t]*(?:(?:(?:with )?(?:kind|best|warm|many|kindest|warmest) )?regards|(?:all the )?best(?: wishes)?|"
    r"yours(?: (?:sincerely|truly|faithfully|ever))?|sincerely(?: yours)?|cheers|(?:many )?thanks(?: again| in advance)?|"
    r"thank you|respectfully|love|(?:mit )?(?:freundlichen|besten|herzlichen|vielen|lieben?) grü(?:ß|ss)en?|viele grü(?:ß|ss)e|"
    r"cordialement|bien à vous|(?:un )?saludos?(?: cordial(?:es)?)?|atentamente|cordiali saluti|distinti saluti|"
    r"met vriendelijke groet(?:en)?|atenciosamente)[ \t]*[,.!]?[ \t]*$",
    re.M | re.I,
)
_SENT_FROM = re.compile(
    r"^[ \t]*(?:Sent (?:from my|via) |Get Outlook for |Von meinem \S{1,20} gesendet|Gesendet von |Envoyé (?:de|depuis) mon |"
    r"Enviado (?:desde|do) m[ie]|Inviato da(?:l mio)? |Verzonden (?:met|vanaf) )[^\n]{0,40}$",
    re.M | re.I,
)
_CONTACT = re.compile(r"\d{3}|@|www\.|\|", re.I)
_TAIL_LINES = 20
_LONGEST_SIGNATURE = 10
_LONGEST_NAME_BLOCK = 4
_LONGEST_LINE = 80


def signatures(text: str) -> Iterator[Span]:
    """What follows the delimiter '--' or a closing at the end of the author's own part; the closing itself is the author's."""
    foreign = [start for find in (quoted_replies, forwarded) for start, end in find(text) if end == len(text)]
    end = min(foreign, default=len(text))
    tail = _tail(text, end)
    for match in _SENT_FROM.finditer(text, tail, end):
        yield match.start(), line_end(text, match.start())
    delimiters = list(_DELIMITER.finditer(text, tail, end))
    if delimiters:
        start = delimiters[-1].start()
        lines = _filled_lines(text[line_end(text, start) : end])
        # '-- ' with its space is the standard; without it the dashes may part two sections of prose.
        if len(lines) <= _LONGEST_SIGNATURE and (delimiters[-1][0].endswith(" ") or not any(map(_is_prose, lines))):
            yield start, end
            end = start
    closings = list(_CLOSING.finditer(text, _tail(text, end), end))
    if closings:
        start = min(line_end(text, closings[-1].start()), end)
        lines = _filled_lines(text[start:end])
        longest = _LONGEST_SIGNATURE if any(map(_CONTACT.search, lines)) else _LONGEST_NAME_BLOCK
        if 0 < len(lines) <= longest and not any(map(_is_prose, lines)):
            yield start, end


def _tail(text: str, end: int) -> int:
    """Where the last lines before `end` begin."""
    start = end
    for _ in range(_TAIL_LINES):
        start = line_start(text, start - 1) if start else start
    return start


def _filled_lines(block: str) -> list[str]:
    return [line.strip() for line in block.split("\n") if line.strip()]


def _is_prose(line: str) -> bool:
    """Longer than names, titles and numbers are, or the end of a sentence; verse after 'Love,' must not be cut."""
    if len(line) > _LONGEST_LINE:
        return True
    words = count_words(line)
    return words > 5 and (line[-1] in ".,;:?!" or not _CONTACT.search(line))


class Step(Enum):
    """The kinds of passages that can be cut; the value is the reason that every cut of the kind carries."""

    QUOTED_REPLIES = "quoted reply: words of another author"
    FORWARDED = "forwarded mail: words of another author"
    SIGNATURES = "signature"
    MAIL_HEADERS = "mail headers"
    BOILERPLATE = "boilerplate: licence, notice or disclaimer"
    BLOCK_QUOTATIONS = "block quotation"
    LINE_END_HYPHENS = "hyphen at a line end"


def propose_cuts(text: str, steps: Iterable[Step]) -> tuple[Cut, ...]:
    """Cuts of the normalised text for the steps chosen: sorted, without overlap, each with the reason of its step.

    Where two steps want the same passage, the one listed first in `Step` has it.
    """
    chosen = set(steps)
    taken: list[tuple[int, int, str]] = []
    for step in Step:
        if step in chosen:
            free = [span for span in _merged(_FINDERS[step](text)) if span[0] < span[1]]
            taken += [(start, end, step.value) for start, end in _outside(free, sorted(taken))]
    return tuple(Cut(*cut) for cut in sorted(taken))


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    """The union of spans of one kind, in order."""
    start, end = 0, 0
    for next_start, next_end in sorted(spans):
        if next_start > end:
            if start < end:
                yield start, end
            start, end = next_start, next_end
        else:
            end = max(end, next_end)
    if start < end:
        yield start, end


def _outside(spans: Iterable[Span], taken: list[tuple[int, int, str]]) -> Iterator[Span]:
    """What is left of `spans` beside the sorted, disjoint spans already taken."""
    index = 0
    for start, end in spans:
        while index < len(taken) and taken[index][1] <= start:
            index += 1
        ahead = index
        while ahead < len(taken) and taken[ahead][0] < end:
            if taken[ahead][0] > start:
                yield start, taken[ahead][0]
            start = max(start, taken[ahead][1])
            ahead += 1
        if start < end:
            yield start, end


# Boilerplate

_BOOK_START = re.compile(
    r"^[ \t]*(?:\*{2,}[ \t]*START[^\n]{0,40}\bPROJECT GUTENBERG[^\n]*(?:\n[^\n]+){0,2}?\*{2,}[ \t]*$|"
    r"\*END[* ][ \t]*THE SMALL PRINT[^\n]*$)",
    re.M | re.I,
)
_BOOK_END = re.compile(
    r"^[ \t]*(?:\*{2,}[ \t]*END[^\n]{0,40}\bPROJECT GUTENBERG|End of (?:the |this )?Project Gutenberg)", re.M | re.I
)
_BOOK_CREDITS = re.compile(r"\s*(?:Produced|E-?text prepared|Transcribed|Scanned) by [^\n]+(?:\n[^\n]+){0,5}\n", re.I)
_DISCLAIMER_START = re.compile(
    r"[\s*_=#-]*(?:(?:confidentiality|privacy|legal|important)[ \t]+(?:notice|note|disclaimer|warning)|disclaimer|"
    r"notice[ \t]*:|this[ \t]+(?:information|e-?mail|message|communication|transmission|electronic|document)|"
    r"the[ \t]+(?:information|contents?|materials?)[ \t]+(?:contained|transmitted|of this|in this)|"
    r"if you (?:are not|have received)|diese (?:e-?mail|nachricht)|ce (?:message|courriel)|este (?:mensaje|correo)|"
    r"quest[oa] (?:messaggio|e-?mail)|(?:dit|deze) (?:bericht|e-?mail)|esta mensagem)",
    re.I,
)
_DISCLAIMER_WORDS = re.compile(
    r"\b(confiden[tc]i|privileged|intended|recipient|addressee|unauthori[sz]ed|in error|disclos|distribut|attachment|virus|"
    r"delet|vertraulich|empfänger|irrtümlich|löschen|destinat[aá]|riservat|vertrouwelijk|ontvanger|bestemd)",
    re.I,
)
_FEWEST_DISCLAIMER_WORDS = 3
_RIGHTS = re.compile(
    r"^[^\n]{0,160}\ball rights reserved\b[^\n]{0,160}$|"
    r"^[ \t]*(?:copyright[ \t]*(?:\(c\)|©)?|©|\(c\))[ \t]*(?:1[5-9]|20)\d\d\b[^\n]{0,100}$",
    re.M | re.I,
)
_EDGE = 1_000
_BLANK = re.compile(r"\n[^\S\n]*\n")


def _boilerplate(text: str) -> Iterator[Span]:
    """The licence around a Gutenberg book, a line on rights at either end, and disclaimers of companies' mail."""
    begin = _BOOK_START.search(text)
    if begin:
        credits_ = _BOOK_CREDITS.match(text, begin.end())
        yield 0, credits_.end() if credits_ else line_end(text, begin.end())
    end = _BOOK_END.search(text, begin.end() if begin else len(text) // 2)
    if end:
        yield end.start(), len(text)
    for match in _RIGHTS.finditer(text):
        if match.start() < _EDGE or match.end() > len(text) - _EDGE:
            yield match.start(), line_end(text, match.start())
    if _DISCLAIMER_WORDS.search(text):
        for start, stop in _paragraphs(text):
            if _DISCLAIMER_START.match(text, start, stop):
                words = {word.lower() for word in _DISCLAIMER_WORDS.findall(text, start, stop)}
                if len(words) >= _FEWEST_DISCLAIMER_WORDS:
                    yield start, stop


def _paragraphs(text: str) -> Iterator[Span]:
    """Stretches between blank lines, with their last line end."""
    start = 0
    for match in (*_BLANK.finditer(text), None):
        end = match.start() + 1 if match else len(text)
        while start < end and text[start] == "\n":
            start += 1
        if start < end:
            yield start, end
        start = match.end() if match else end


# Quotations and line ends

_INDENTED_LINE = re.compile(r"^(?: {4}|\t)[ \t]*\S", re.M)
_FILLED_LINE = re.compile(r"^[ \t]*\S", re.M)
_COLUMNS = re.compile(r"\S(?:\t|   )[ \t]*\S")  # a table is indented too
_SHORTEST_QUOTATION = 8
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010][ \t]*\n[ \t]*(?=[^\W\d_])")
_COMPOUND = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,40}-[^\W\d_]{1,40}(?![^\W\d_])")
_LAST_LETTERS = re.compile(r"[^\W\d_]+\Z")
_FIRST_LETTERS = re.compile(r"[^\W\d_]{1,40}")
_SUSPENDED = frozenset(("and", "or", "to", "nor", "und", "oder", "bis", "et", "ou", "y", "o", "e", "en", "of"))


def _block_quotations(text: str) -> Iterator[Span]:
    """Indented paragraphs of two lines or more in a text that is not indented as a rule, and lines marked with '>'."""
    yield from quote_runs(text)
    indented = len(_INDENTED_LINE.findall(text))
    if indented < 2 or 2 * indented > len(_FILLED_LINE.findall(text)):
        return
    for start, end in _paragraphs(text):
        paragraph = text[start:end]
        lines = paragraph.count("\n") + (not paragraph.endswith("\n"))
        if lines < 2 or len(_INDENTED_LINE.findall(paragraph)) < lines or _COLUMNS.search(paragraph):
            continue
        if count_words(paragraph) >= _SHORTEST_QUOTATION:
            yield start, end


def _line_end_hyphens(text: str) -> Iterator[Span]:
    """Hyphens that a line end made, with the line end; only the line end where the text has the word with a hyphen elsewhere."""
    breaks = list(_HYPHEN.finditer(text))
    compounds = set(_COMPOUND.findall(text)) if breaks else set()
    for match in breaks:
        start, end = match.span()
        before = _LAST_LETTERS.search(text[max(0, start - 40) : start])
        after = _FIRST_LETTERS.match(text, end)
        if before and after and before[0][-1].islower() and after[0][0].islower() and after[0] not in _SUSPENDED:
            yield (start + 1 if f"{before[0]}-{after[0]}" in compounds else start), end


_FINDERS: dict[Step, Callable[[str], Iterator[Span]]] = {
    Step.QUOTED_REPLIES: quoted_replies,
    Step.FORWARDED: forwarded,
    Step.SIGNATURES: signatures,
    Step.MAIL_HEADERS: mail_headers,
    Step.BOILERPLATE: _boilerplate,
    Step.BLOCK_QUOTATIONS: _block_quotations,
    Step.LINE_END_HYPHENS: _line_end_hyphens,
}
