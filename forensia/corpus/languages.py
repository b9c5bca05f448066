"""A light guess at the language of a text, so that a French letter in an English corpus is noticed: function words and script.

It is a check, not a feature: when the text is short or the answer unclear it says 'und' (undetermined).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from forensia.corpus.characters import script_counts

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
_SHARE, _LEAD = 0.12, 1.25


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
    script = _script(sample)
    if script and script != "Latin":
        return _by_script(script, text)
    plainly = _plainly_english(sample) or _plainly_english(_sampled(text, _LARGER_SAMPLE))
    if plainly:
        return LanguageGuess("en", plainly, script)
    share, lead, code = _by_words(sample)
    if (share < _SURE_SHARE or lead < _SURE_LEAD) and len(sample) < len(text):
        share, lead, code = _by_words(_sampled(text, _LARGE_SAMPLE))
    if not script or share < _SHARE or lead < _LEAD:
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


def _script(sample: str) -> str:
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
