"""The method, first in plain words, then as a specialist needs it."""

from __future__ import annotations

from forensia import figures
from forensia.report.grid import Column, table
from forensia.report.writing import SectionWriter

PAPER = (
    "Silvia Corbara, Alejandro Moreo, Fabrizio Sebastiani: 'Same or Different? Diff-Vectors for Authorship Analysis'"
)
_NAMES = {
    "function words": "share of each function word among the words",
    "word lengths": "share of words of each length",
    "sentence lengths": "share of sentences of each number of words",
    "punctuation": "share of each punctuation mark among the marks",
    "POS n-grams": "sequences of parts of speech",
    "words": "words",
    "character n-grams": "sequences of characters",
    "masked tokens": "sequences of words and marks, each word that is not a function word hidden",
    "layout": "sequences of letters, capitals, digits, marks, spaces and line breaks, the letters themselves hidden",
}
_TYPING = {
    "as typed": "features are counted in the texts as they were typed",
    "canonical": "features are counted in texts with one form for each kind of quote, dash, ellipsis and space, without hidden "
    "characters and hard wraps; what is quoted is the text as it was typed",
}


def write(report: SectionWriter) -> None:
    """Method."""
    doc, say, model = report.doc, report.say, report.found.model
    forensic = model.profile == "forensic"
    doc.heading("Method")
    doc.heading("In plain words", 1)
    doc.paragraph(
        "A program counts, in every text, features of style: how often small words such as 'of' and 'but' occur, how long words and "
        "sentences are, how a text is punctuated, which kinds of words and which letters follow each other. It then learns "
        "from pairs of known texts how much texts by one author differ in each feature, and how much texts by two. The disputed "
        "text is compared with every known text in the same way; each comparison gives a score, Pr(Same). From the scores with an "
        "author's most similar texts comes the author's rank."
    )
    if forensic:
        doc.paragraph(
            "A score is not evidence by itself. So the same was done with every known text as if it were the disputed one, each time by a "
            "model that had never seen it. That shows how high scores are when the author is right, and how high they are when "
            "the author is wrong or was never in the list; the likelihood ratio compares the two. Where these trials are too few, or "
            "do not support a statement, no opinion is given."
        )
    doc.heading("In technical terms", 1)
    doc.paragraph(
        f"The method is that of Diff-Vectors ({PAPER}): a text pair is represented by the absolute differences of its feature values, "
        "and logistic regression on such vectors gives Pr(Same). "
        + (
            "It differs from the paper where evidence needs it to, as stated below."
            if forensic
            else "It follows the paper."
        )
    )
    language = model.language
    fused = report.found.validation.weights if report.found.validation is not None else {}
    doc.facts(
        [
            (
                "Features",
                f"{say.count(model.features)} in {say.count(len(model.families))} families, of "
                f"{say.count(model.documents)} documents",
            ),
            ("Typing", _TYPING[model.typing]),
            ("Topic masking", model.mask),
            (
                "Training pairs",
                f"{say.count(model.pairs)}"
                + (", each document as often in pairs by one author as in pairs by two" if forensic else ""),
            ),
            (
                "Regularisation",
                f"C = {say.plain(model.c)}, chosen by cross-validation"
                + (
                    " in which no document is on both sides of a split; the models of the validation, fitted without the "
                    "texts that they are tried on, use this C and the weights below"
                    if forensic
                    else ""
                ),
            ),
            ("Convergence", "reached" if model.converged else "not reached"),
            *(
                [
                    (
                        "Fused ranking",
                        "least squares for each family of features, all authors at once; the scores of the families are added with the "
                        "weights below, under which left-out texts are most probably by their authors, and a term that takes out how many "
                        "texts an author has",
                    )
                ]
                if forensic
                else []
            ),
            (
                "Lazy AA",
                f"the mean Pr(Same) with the k = {say.count(model.k)} most similar texts of each author"
                f"{', of authors with fewer known texts fewer in proportion' if forensic else ''}; k was chosen on scores of "
                f"{'unseen' if forensic else 'the training'} documents ({say.share(model.k_accuracy[model.k - 1])} right)",
            ),
            (
                "Stacked AA",
                "a classifier that learns from the scores with all known documents who wrote a text; its scores add up to one over the "
                "authors supplied",
            ),
            (
                "Likelihood ratio",
                "none: the protocol of the paper has no calibration"
                if not forensic
                else "of the fused ranking: against another listed author the odds that it gives, over even prior odds; against somebody "
                "not in the corpus the author's standing among those of the text, by logistic calibration with equal class weights; "
                "bounded (ELUB) to what the number of trials supports; intervals by resampling authors and documents",
            ),
            (
                "Language model",
                f"{language['name']} {language['version']}, {say.count(int(language['function_words']))} function words",
            ),
        ],
        label=96,
    )
    table(
        doc,
        [
            Column("Family of features", 110),
            Column("What is counted"),
            Column("In pairs", 54, "right"),
            Column("Fused", 54, "right"),
        ],
        [
            (family, _NAMES[family], say.plain(model.factors.get(family)), say.plain(fused.get(family)))
            for family in model.families
        ],
        caption="The families of features, with their weights, which were chosen on the known texts. In pairs: what the values are "
        "multiplied by for Pr(Same). Fused: what the scores are multiplied by, each in units of its spread.",
    )
    if len(model.k_accuracy) > 1:
        chance = 1 / model.authors if model.authors else None
        doc.figures([figures.k_accuracy(model.k_accuracy, model.k, report.look(2.4), chance=chance)], floating=True)
