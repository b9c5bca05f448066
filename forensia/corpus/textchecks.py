"""What is wrong with one text, such as lost characters or another language, each thing with a severity, the places and a next step."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from forensia.corpus.characters import (
    HIDDEN,
    MAX_EXAMPLES,
    MAX_OFFSETS,
    CharacterFinding,
    CharacterFindings,
    beyond_ascii,
    count_words,
    has_ink,
    inspect,
    script_counts,
    visible,
)
from forensia.corpus.cleaning import Step, maybe_mail, propose_cuts
from forensia.corpus.decoding import MAX_TEXT_BYTES
from forensia.corpus.document import Problem, Severity, Value, Values

# A light guess at the language, so that a French letter in an English corpus is noticed: function words and script. It is a check, not a
# feature: when the text is short or the answer unclear it says 'und' (undetermined).

UNDETERMINED = "und"

FUNCTION_WORDS = {
    "en": """the of and to a in that is was he for it with as his on be at by i this had not are but from or have an they which
        you were her she there would their we been has when who will more if so what my your can about its could than into
        said some them these only other""",
    "de": """der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass
        sie nach wird bei einer um am sind noch wie einem über ich so zum war aber nur oder wir""",
    "fr": """de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son je nous
        vous elle mais ou cette ont être aux leur était même comme tout""",
    "es": """de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre
        este ya entre cuando todo esta ser son muy había""",
    "it": """di e il la che in un a per è non del una le si con i da sono dei al come più ma della nel ha alla gli anche lo
        mi questo se delle ci quando era o nella""",
    "pt": """de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua
        ou ser quando muito nos já eu também""",
    "nl": """de het een en van ik te dat die in niet is zijn op aan met als voor er maar om hem dan ook naar bij nog uit
        worden hij was heeft door wordt zou meer ze geen kan""",
    "la": """et in est non ad cum ut quod sed qui quae ex si atque nec enim esse ab per hoc de quam aut sunt etiam ac autem
        eius ne quid neque tamen cui haec ita nam iam quo""",
}
"""Very frequent words of each language that can be told; in running prose about every third word is one of them."""

LANGUAGE_NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch",
    "la": "Latin", "el": "Greek", "he": "Hebrew", "hy": "Armenian", "ka": "Georgian", "th": "Thai", "ko": "Korean",
    "ja": "Japanese", "zh": "Chinese",
}  # fmt: skip

# Scripts that are the mark of one language; Cyrillic, Arabic and Devanagari write too many.
_BY_SCRIPT = {
    "Greek": "el", "Hebrew": "he", "Armenian": "hy", "Georgian": "ka", "Thai": "th", "Hangul": "ko", "Hiragana": "ja",
    "Katakana": "ja", "Cjk": "zh",
}  # fmt: skip

_FEWEST_WORDS = 20
_FEWEST_DIFFERENT = 4
_SAMPLE = 180
_LARGER_SAMPLE = 400
_LARGE_SAMPLE = 6_000
_PLAINLY_ENGLISH = 0.25
_SURE_SHARE, _SURE_LEAD = 0.18, 2.0
_LIKELY_SHARE, _LIKELY_LEAD = 0.12, 1.25


@dataclass(frozen=True)
class LanguageGuess:
    """The language as its two-letter code or 'und', the share of its function words in the text, and the script."""

    code: str = UNDETERMINED
    share: float = 0.0
    script: str = ""

    @property
    def name(self) -> str:
        return LANGUAGE_NAMES.get(self.code, "an unknown language")


def _table() -> dict[str, tuple[str, ...]]:
    languages: dict[str, list[str]] = {}
    for code, words in FUNCTION_WORDS.items():
        for word in words.split():
            languages.setdefault(word, []).append(code)
    return {word: tuple(codes) for word, codes in languages.items()}


_LANGUAGES_OF = _table()
_WORDS_OF = {code: frozenset(words.split()) for code, words in FUNCTION_WORDS.items()}
_ENGLISH = _WORDS_OF["en"]
_ONLY_ENGLISH = (" th", " of ", " and ", " to ")
_PLAIN_SHARE = 0.10  # English prose has about 0.15, a text that is half in another language 0.07


def guess(text: str) -> LanguageGuess:
    """The language of a text, from samples of its start, middle and end; the whole costs microseconds for most texts."""
    sample = _sampled(text, _SAMPLE)
    script = _script_of_most(sample)
    if script and script != "Latin":
        return _by_script(script, text)
    plainly = _plainly_english(sample) or _plainly_english(_sampled(text, _LARGER_SAMPLE))
    if plainly:
        return LanguageGuess("en", plainly, script)
    share, lead, code = _by_words(sample)
    if (share < _SURE_SHARE or lead < _SURE_LEAD) and len(sample) < len(text):
        share, lead, code = _by_words(_sampled(text, _LARGE_SAMPLE))
    if not script or share < _LIKELY_SHARE or lead < _LIKELY_LEAD:
        return LanguageGuess(UNDETERMINED, share, script)
    return LanguageGuess(code, share, script)


def _sampled(text: str, size: int) -> str:
    """Three windows of a text; a preface or a licence at one end must not decide for the whole."""
    if len(text) <= 3 * size:
        return text
    middle = (len(text) - size) // 2
    return f"{text[:size]} {text[middle : middle + size]} {text[-size:]}"


_ASCII_LETTER = re.compile("[A-Za-z]")
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())


def _script_of_most(sample: str) -> str:
    """The script of most letters; counted one by one only where those outside ASCII could be most of them."""
    if sample.isascii():
        return "Latin" if _ASCII_LETTER.search(sample) else ""
    raw = sample.encode("ascii", "ignore")
    if len(raw.translate(None, _NO_LETTERS)) > len(sample) - len(raw):
        return "Latin"
    counts = script_counts(sample)
    return counts.most_common(1)[0][0] if counts else ""


def _by_script(script: str, text: str) -> LanguageGuess:
    if script == "Cjk":  # kana among the ideographs make it Japanese
        counts = script_counts(_sampled(text, _LARGE_SAMPLE))
        if counts["Hiragana"] + counts["Katakana"] > 0.05 * counts.total():
            script = "Hiragana"
    return LanguageGuess(_BY_SCRIPT.get(script, UNDETERMINED), 0.0, script)


def _plainly_english(sample: str) -> float:
    """A lower bound of the share of English function words where it is beyond doubt, otherwise 0: most texts need no more.

    No other language here has these four in number, and counting them takes a fifth of the time of splitting the sample.
    """
    lowered = sample.lower().replace("\n", " ")
    blanks = lowered.count(" ")
    if blanks < _FEWEST_WORDS:
        return 0.0
    counts = [lowered.count(word) for word in _ONLY_ENGLISH]
    share = sum(counts) / (blanks + 1)
    return share if share >= _PLAIN_SHARE and counts.count(0) <= 1 else 0.0


def _by_words(sample: str) -> tuple[float, float, str]:
    """Share of function words in the best language, its lead over the next, and its code."""
    words = sample.lower().split()
    if len(words) < _FEWEST_WORDS:
        return 0.0, 0.0, UNDETERMINED
    # The usual case, and a safe one: no other language here has one word in four in common with English.
    english = [word for word in words if word in _ENGLISH]
    if len(english) >= _PLAINLY_ENGLISH * len(words) and len(set(english)) >= _FEWEST_DIFFERENT:
        return len(english) / len(words), _SURE_LEAD, "en"
    hits = dict.fromkeys(FUNCTION_WORDS, 0)
    for codes, count in Counter(map(_LANGUAGES_OF.get, words)).items():
        for code in codes or ():
            hits[code] += count
    second, best = sorted(hits.values())[-2:]
    share, lead, code = best / len(words), best / max(second, 1), max(hits, key=hits.__getitem__)
    # 'a' and 'we' are Polish words too: one or two words, however frequent, are no language.
    if len(_WORDS_OF[code].intersection(words)) < _FEWEST_DIFFERENT:
        return share, 0.0, UNDETERMINED
    return share, lead, code


TOO_SHORT = 100
"""Words below which no method of authorship analysis has been shown to be reliable enough to stand alone."""

EXCLUDING = frozenset(("empty", "very-long"))
"""Codes of problems for which a reader leaves the text out of the corpus."""

_LETTER = re.compile(r"[^\W\d_]")


def check_text(
    text: str,
    *,
    language: str = "en",
    words: int | None = None,
    guessed: LanguageGuess | None = None,
    ascii: bool = False,
) -> tuple[Problem, ...]:
    """All problems of a normalised text; `words`, `guessed` and `ascii` (see `Decoded`) spare work that the reader has done."""
    if not text or text.isspace() or not (ascii or has_ink(text)):
        return (Problem.of("empty"),)
    if len(text) > MAX_TEXT_BYTES:
        return (Problem.of("very-long", why="characters", length=len(text), limit=MAX_TEXT_BYTES),)
    count = count_words(text) if words is None else words
    problems: list[Problem] = []
    if count < TOO_SHORT:
        problems.append(too_short(count))
    if _LETTER.search(text) is None:
        problems.append(Problem.of("no-words"))
    else:
        found = guess(text) if guessed is None else guessed
        if found.code != language or found.script != "Latin":
            problems.extend(_language(found, language, count))
        problems.extend(lost_characters(text, found.code, count))
    if not ascii:
        problems.extend(_characters(inspect(text)))
    if maybe_mail(text):
        problems.extend(_quoted(text))
    return tuple(problems)


def too_short(words: int) -> Problem:
    return Problem.of("too-short", words=words, fewest=TOO_SHORT)


def _language(found: LanguageGuess, expected: str, words: int) -> Iterator[Problem]:
    if expected in FUNCTION_WORDS and found.script not in ("Latin", ""):
        yield Problem.of("language", why="script", script=found.script, expected=expected)
    elif found.code not in (UNDETERMINED, expected):
        yield Problem.of("language", why="other", found=found.code, expected=expected)
    elif found.code == UNDETERMINED and expected in FUNCTION_WORDS and words >= TOO_SHORT:
        yield Problem.of("language", why="unlike", expected=expected)


def _characters(findings: CharacterFindings) -> Iterator[Problem]:
    """A problem for each kind of hidden or foreign character."""
    for code in HIDDEN:
        if code in findings:
            yield _found(code, Severity.WARNING, findings[code])
    if "look-alikes" in findings:
        yield _found("mixed-script", Severity.WARNING, findings["look-alikes"], why="look-alikes")
    elif "mixed-script" in findings:
        yield _found("mixed-script", Severity.NOTE, findings["mixed-script"], why="scripts")


def _found(code: str, severity: Severity, finding: CharacterFinding, **values: Value) -> Problem:
    counted: Values = {"count": finding.count, "examples": tuple(finding.examples), **values}
    return Problem(code, severity, counted, offsets=tuple(finding.offsets))


def _quoted(text: str) -> Iterator[Problem]:
    cuts = propose_cuts(text, (Step.QUOTED_REPLIES, Step.FORWARDED))
    if cuts:
        share = sum(cut.end - cut.start for cut in cuts) / len(text)
        places = (cut.start for cut in cuts[:MAX_OFFSETS])
        yield Problem.of("quoted-text", offsets=places, passages=len(cuts), share=share)


FEWEST = 2
"""Question marks or missing apostrophes; a single one may be a slip."""

FEWEST_WORDS = 200
"""Words in which a sound text has an accented letter: of 9,901 passages of this length in the five languages none had none."""

_ACCENTED = frozenset(("de", "es", "fr", "it", "pt"))
_AROUND = 20  # characters of an example before and after the place
_BLANK = re.compile(r"\s")
_ADDRESS = re.compile(r"[/=&@%]|\.\w+\?")

# UTF-8 read as Windows-1252, Latin-1 or Mac Roman. What may follow a capital Â or Ã in a sound text, such as a closing quote, is left
# out: there are always other characters.
_FOLLOWING = "€ƒ†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ\x80-\x9f¢-ª«¬-º¼-¾"
_MOJIBAKE = re.compile(rf"[ÂÃ][{_FOLLOWING}]|â[€\x80][\x80-\uffff]|‚Ä[ôúùìîò¶]|√[©®¢†¥±º∂§üß™]")
_LEADS = frozenset("ÂÃâ‚√")
# Nearly all begin with what is looked for and look back from there, which is many times faster than to look ahead from every place.
_QUESTIONED = re.compile(r"\?(?:(?=[a-zß-ÿ])(?<=[^\W\d_]\?)|(?=[A-ZÀ-Þ])(?<=[A-ZÀ-Þ]\?)|(?=[^\W\d_])(?<![^\s(\[]\?))")
_APOSTROPHE = re.compile(r"['’‘`´ʼ′\ufffd?](?<=[^\W\d_].)(?=[^\W\d_])")
_PERSONS = r"(?:(?<=\bI ..)|(?<=\b[Yy]ou ..)|(?<=\b[Ww]e ..)|(?<=\b[Tt]hey ..))"
_SPACED = {
    "en": re.compile(rf" (?:[tT](?<=[nN] .)|m(?<=\bI .)|(?:ll|re|ve){_PERSONS}|s(?<=[a-z] .)(?= [a-z]))(?![\w'’-])"),
    "fr": re.compile(r" (?:(?<=\b[CDJLMNSTcdjlmnst] )|(?<=\b[Qq]u ))(?=[aeiouyhàâéèêîôœ])"),
}
_NOT = "|".join(
    rf"(?<=\b{word})"
    for word in "dont didnt doesnt isnt wasnt arent werent havent hasnt hadnt cant couldnt wouldnt shouldnt".split()
)
_JOINED = {
    "en": re.compile(rf"[nN][tT]\b(?i:{_NOT})|I(?<!\w.)(?:m|ve)\b"),
    "fr": re.compile(r"(?i:\b(?:cest|jai|quil|quils|quon|quun|quune|nest|sest|cétait|jétais|javais|navait|dun|lon)\b)"),
}


def lost_characters(text: str, language: str, words: int) -> Iterator[Problem]:
    """A problem for each way in which characters of a text were lost; `language` is the one it seems to be in."""
    if not text.isascii() and not _LEADS.isdisjoint(beyond_ascii(text)):
        yield from _lost("mojibake", Severity.WARNING, text, _MOJIBAKE, 1)
    questioned = "?" in text and [*_lost("question-marks", Severity.WARNING, text, _QUESTIONED)]
    if questioned:
        yield from questioned
    elif language in _ACCENTED and words >= FEWEST_WORDS and not _accented(text):
        yield Problem.of("no-accents", words=words, language=language)
    if language in _SPACED and not _APOSTROPHE.search(text):
        yield from _lost("no-apostrophes", Severity.WARNING, text, _SPACED[language], why="spaced")
        yield from _lost("no-apostrophes", Severity.NOTE, text, _JOINED[language], why="joined")


def _lost(
    code: str, severity: Severity, text: str, lost: re.Pattern[str], fewest: int = FEWEST, **values: Value
) -> Iterator[Problem]:
    """The problem with its places and some examples, where there are enough of them."""
    count = 0
    first: list[re.Match[str]] = []  # a hostile text may have millions of places
    for match in lost.finditer(text):
        if "?" in match[0] and _ADDRESS.search(_whole(text, match)):
            continue
        count += 1
        if count <= MAX_OFFSETS:
            first.append(match)
    if count >= fewest:
        examples = dict.fromkeys(visible(_whole(text, match)).text for match in first)
        counted: Values = {"count": count, "examples": tuple(examples)[:MAX_EXAMPLES], **values}
        yield Problem(code, severity, counted, offsets=tuple(match.start() for match in first))


def _whole(text: str, match: re.Match[str]) -> str:
    """What was matched with all that hangs together with it, cut where that is long."""
    start, end = match.span()
    before, behind = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    return _BLANK.split(before)[-1] + match[0] + _BLANK.split(behind)[0]


def _accented(text: str) -> bool:
    """Whether there is a letter beyond ASCII, be it accented or of its own; a ligature is none."""
    letters = (character for character in beyond_ascii(text) if character.isalpha())
    return any(not unicodedata.normalize("NFKC", letter).isascii() for letter in letters)
