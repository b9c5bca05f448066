"""The light guess at the language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus.textchecks import FUNCTION_WORDS, LanguageGuess, guess

# Written for this test, each in plain prose.
SAMPLES = {
    "en": "We had planned to leave early, but the rain kept us in the house until noon, and by then it was clear that the bus "
    "would not come. My brother said that he was not worried about it, so we waited.",
    "de": "Wir wollten früh aufbrechen, aber der Regen hielt uns bis zum Mittag im Haus fest, und dann war klar, dass der Bus "
    "nicht mehr kommen würde. Mein Bruder sagte, er mache sich keine Sorgen, und so warteten wir auf ihn.",
    "fr": "Nous voulions partir tôt, mais la pluie nous a retenus dans la maison jusqu’à midi, et il était clair que le car ne "
    "viendrait pas. Mon frère disait que ce n’était pas grave, et nous avons attendu avec lui sur le banc.",
    "es": "Queríamos salir temprano, pero la lluvia nos retuvo en la casa hasta el mediodía, y entonces era claro que el autobús "
    "no iba a venir. Mi hermano dijo que no le importaba y que había que esperar con los otros.",
    "it": "Volevamo partire presto, ma la pioggia ci ha tenuti in casa fino a mezzogiorno, e poi era chiaro che il pullman non "
    "sarebbe venuto. Mio fratello diceva che non era un problema, e così siamo rimasti con gli altri per un’ora.",
    "pt": "Queríamos sair cedo, mas a chuva não nos deixou sair de casa até ao meio-dia, e então era claro que o autocarro não "
    "vinha. O meu irmão disse que isso não era um problema, e ficámos com os outros à espera na praça.",
    "nl": "We wilden vroeg vertrekken, maar de regen hield ons tot de middag in het huis, en toen was het duidelijk dat de bus "
    "niet meer zou komen. Mijn broer zei dat hij er geen zorgen over had, en we bleven op hem wachten.",
    "la": "Mane proficisci volebamus, sed imber nos in domo ad meridiem tenuit, et iam non erat dubium quin raeda ventura non "
    "esset. Frater autem dixit hoc nihil esse, quod dies longa est, et cum ceteris in foro ad vesperum mansimus.",
}


@pytest.mark.parametrize("code", SAMPLES)
def test_each_language(code: str) -> None:
    for text in (SAMPLES[code], SAMPLES[code].upper(), SAMPLES[code] * 50):
        found = guess(text)
        assert (found.code, found.script) == (code, "Latin")
        assert 0.12 <= found.share <= 1


@pytest.mark.parametrize(
    ("text", "code", "script"),
    [
        ("Было тихое утро, и никто в деревне ещё не видел почтальона.", "und", "Cyrillic"),
        ("Ήταν ένα ήσυχο πρωί και κανείς δεν είχε δει τον ταχυδρόμο.", "el", "Greek"),
        ("בוקר שקט היה בכפר", "he", "Hebrew"),
        ("今朝はとても静かで、誰も郵便屋さんを見なかった。", "ja", "Hiragana"),
        ("今天早上很安静，村里没有人看见邮递员。", "zh", "Cjk"),
        ("조용한 아침이었다.", "ko", "Hangul"),
    ],
)
def test_other_scripts(text: str, code: str, script: str) -> None:
    found = guess(text * 3)
    assert (found.code, found.script) == (code, script)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1234 5678 " * 50,
        "?!",
        "Thank you.",
        "lorem foo bar baz qux " * 40,
        "Było ciche poranek, a nikt we wsi nie widział listonosza. " * 20,
    ],
)
def test_short_or_unclear_is_undetermined(text: str) -> None:
    assert guess(text).code == "und"


def test_no_letters_no_script() -> None:
    assert guess("12, 13, 14!") == LanguageGuess()


def test_a_foreign_preface_does_not_decide() -> None:
    assert guess(SAMPLES["en"] * 2 + SAMPLES["de"] * 40).code == "de"


def test_curly_apostrophes_and_capitals_do_not_matter() -> None:
    assert guess(SAMPLES["en"].replace("'", "’").title()).code == "en"


def test_lists_are_short_and_without_repetition() -> None:
    for code, listed in FUNCTION_WORDS.items():
        words = listed.split()
        assert len(words) == len(set(words)), code
        assert 25 <= len(words) <= 70
        assert all(word == word.lower() for word in words)


@given(st.text())
def test_any_text(text: str) -> None:
    found = guess(text)
    assert 0 <= found.share <= 1
    assert found == guess(text)
