"""The words of the report, for readers who are no specialists."""

from __future__ import annotations

from forensia.report.letters import Piece
from forensia.report.paper import SMALL
from forensia.report.writing import SectionWriter

WORDS: tuple[tuple[str, str], ...] = (
    ("Bound, limit (ELUB)", "The strongest likelihood ratio, in either direction, that the number of trials supports."),
    ("Calibration", "Turning scores into likelihood ratios that are worth what they say, from trials whose truth is known."),
    ("Cllr", "The cost of a set of likelihood ratios in bits: 0 is perfect, 1 is as good as saying nothing, above 1 misleads."),
    ("Closed set", "Nothing is said of anybody but the listed authors: all holds on the condition that one of them wrote the text."),
    ("Corpus, listed authors", "The known texts, and those who wrote them."),
    ("Cross-fitting", "Trying each known text with a model that was made without it."),
    ("Diff-Vector", "The absolute differences of two texts in all features."),
    ("Disputed text", "The text whose author is asked for."),
    ("ECE", "Empirical cross-entropy: the uncertainty that is left by likelihood ratios, whatever was believed before."),
    ("Equal error rate", "The rate at which as many right authors are missed as wrong ones are accepted."),
    ("Family of features", "One kind of feature, such as words or sequences of characters."),
    ("Fused ranking, fusion", "Ranks authors by the scores of all families of features, added with weights that were learnt from "
     "known texts which had been left out."),
    ("Interval", "The range in which 95 % of the values lie when authors and documents are drawn again from those at hand."),
    ("Lazy AA", "Ranks authors by the mean score with the most similar texts of each."),
    ("Likelihood ratio (LR)", "How many times more probable the findings are if the first proposition is true than if the second is."),
    ("Misleading evidence", "A likelihood ratio above 1 for a wrong author, or below 1 for the right one."),
    ("Outsider", "Somebody who is not among the listed authors; for a trial, a listed author whose texts were all left out."),
    ("p, test of usualness", "The share of an author's own texts that score as low as the disputed text or lower (conformal p)."),
    ("PAV", "The best rising correction of the likelihood ratios that the trials allow."),
    ("Pr(Same)", "The model's score for two texts, from training with equal numbers of pairs by one author and by two. "
     "Not the probability that anybody is the author."),
    ("Proposition", "One of the two statements between which the findings are weighed."),
    ("SHA-256", "A fingerprint of 64 digits of a file or a text."),
    ("Source, known or new", "What a text comes from: a book, an account, a thread. New is one of which there are no known texts."),
    ("Stacked AA", "Ranks authors by a classifier that has learnt from the scores with all known texts."),
    ("Standing", "How far an author's fused score lies above the mean of all authors of a text, in units of their spread."),
    ("Tippett plot", "Shows how often likelihood ratios reach each value, for right and for wrong authors."),
)  # fmt: skip

OF_POPULATIONS: tuple[tuple[str, str], ...] = (
    ("p, test of usualness", "The share of the texts of stand-ins that score as low with their own author as the disputed text does with a "
     "candidate, or lower (conformal p)."),
    ("Reference population", "Texts by people who are no candidates, and stand for somebody else."),
    ("Stand-in", "A known author who was tried in the place of a candidate, with as many texts."),
)  # fmt: skip
"""What is said otherwise, or besides, where there is a reference population."""


def write(report: SectionWriter) -> None:
    """Glossary."""
    doc = report.doc
    doc.heading("Glossary")
    words = dict(WORDS) | (dict(OF_POPULATIONS) if report.found.population else {})
    for word, meaning in sorted(words.items(), key=lambda each: each[0].lower()):
        doc.paragraph([Piece(f"{word}. ", SMALL.strong), Piece(meaning, SMALL)], SMALL, after=2.5)
    doc.y += 6
