"""The method, first in plain words, then as a specialist needs it."""

from __future__ import annotations

from forensia import figures
from forensia.evidence.learnt import PairRecord
from forensia.features import FAMILIES
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
_COUNTED = (
    "A program counts, in every text, features of style: how often small words such as 'of' and 'but' occur, how long words and "
    "sentences are, how a text is punctuated, which kinds of words and which letters follow each other."
)
_FUSED = (
    "For each family of such features it learns from the known texts what sets each author apart from the others. What the families say "
    "of the disputed text is added up, each with the weight that it has earned on known texts which were left out: the fused ranking."
)
_AGAINST = (
    "Candidates are held against a reference population: texts by other people. For each family of such features the program takes "
    "away from every text what the average author writes, and finds how like the disputed text is to what is left of a candidate's known "
    "texts taken together: to what they have in common and most others do not. What the families say is added up, each with the weight "
    "that it has earned on known texts which were left out: the fused score."
)
_STAND_INS = (
    "A score is not evidence by itself. So known authors, candidates or not, were put in the place of a candidate in turn, with as many "
    "texts as a candidate has: stand-ins. Texts of a stand-in that were left out show how high scores are when the author is right; texts "
    "of all others, how high they are when the author is wrong. The average is each time that of the authors who wrote neither. The "
    "likelihood ratio compares the two. Where these trials are too few, or do not support a statement, no opinion is given."
)
_BESIDE = "Beside it stands a method of another kind."
_PAIRS = (
    "The program learns from pairs of known texts how much texts by one author differ in each feature, and how much texts by two. The "
    "disputed text is compared with every known text in the same way; each comparison gives a score, Pr(Same). From the scores with an "
    "author's most similar texts comes the author's score by Lazy AA, from those with all texts the score by Stacked AA."
)
_TRIED = (
    "A score is not evidence by itself. So the same was done with the known texts as if each were the disputed one, each time by a "
    "model that had never seen it. That shows how high scores are when the author is right, and how high they are when the author is "
    "wrong or was never in the list; the likelihood ratio compares the two. Where these trials are too few, or do not support a "
    "statement, no opinion is given."
)
_BOUNDED = "bounded (ELUB) to what the number of trials supports; intervals by resampling authors and their sources or documents"


def write(report: SectionWriter) -> None:
    """Method."""
    doc, say, model, validation = report.doc, report.say, report.found.model, report.found.validation
    forensic = model.profile == "forensic"
    fused = validation.weights if validation is not None else {}
    reference = None if validation is None else validation.reference
    doc.heading("Method")
    doc.heading("In plain words", 1)
    language, pairs = model.language, model.pairs
    told = [
        _COUNTED,
        *([_AGAINST if reference else _FUSED] if fused else []),
        *([_BESIDE] if fused and pairs else []),
        *([_PAIRS] if pairs else []),
    ]
    doc.paragraph(" ".join(told))
    if validation is not None or report.found.older_validation:
        doc.paragraph(_STAND_INS if reference else _TRIED)
    doc.heading("In technical terms", 1)
    beside = (
        f"{'the method' if fused else 'that'} of Diff-Vectors ({PAPER}): a text pair is represented by the absolute differences of its "
        "feature values, and logistic regression on such vectors gives Pr(Same). "
        + (
            "It differs from the paper where evidence needs it to, as stated below."
            if forensic
            else "It follows the paper."
        )
    )
    if fused:
        name = "score" if reference else "ranking"
        below = f"The fused {name}, from which the likelihood ratios come, is described below."
        doc.paragraph(f"{below} Beside it stands {beside}" if pairs else below)
    else:
        doc.paragraph(f"The method is {beside}")
    first, second = ([], []) if pairs is None else _diff_vectors(report, pairs)
    doc.facts(
        [
            *first,
            ("Typing", _TYPING[model.typing]),
            ("Topic masking", model.mask),
            *(
                [
                    (
                        "Fused score",
                        "for each family the mean of the other authors, each counting the same, is taken from the texts' vectors; with R "
                        "the cosines of a candidate's texts among each other then and r those with the disputed one, the score is 1'(R + "
                        "0.3 I)^-1 r, over the square root of 1'(R + 0.3 I)^-1 1; the scores of the families are added with the weights "
                        "below, under which left-out texts are most probably by their authors, and a term that takes out how many "
                        "texts an author has",
                    )
                    if reference
                    else (
                        "Fused ranking",
                        "least squares for each family of features, all authors at once; the scores of the families are added with the "
                        "weights below, under which left-out texts are most probably by their authors, and a term that takes out how many "
                        "texts an author has",
                    )
                ]
                if fused
                else []
            ),
            *second,
            (
                "Likelihood ratio",
                _ratios(report),
            ),
            (
                "Language model",
                f"{language['name']} {language['version']}, {say.count(int(language['function_words']))} function words",
            ),
        ],
        label=96,
    )
    families = [family for family in model.families if family in FAMILIES or family in fused]
    columns = [Column("Family of features", 110), Column("What is counted"), Column("In pairs", 54, "right")]
    rows: list[tuple[str, ...]] = [
        (family, _NAMES[family], say.plain(None if pairs is None else pairs.factors.get(family))) for family in families
    ]
    caption = (
        "The families of features, with their weights, which were chosen on the known texts. In pairs: what the values are multiplied by "
        "for Pr(Same)."
    )
    if fused:
        columns.append(Column("Fused", 54, "right"))
        rows = [(*row, say.plain(fused.get(row[0]))) for row in rows]
        caption += " Fused: what the scores are multiplied by, each in units of its spread."
    table(doc, columns, rows, caption=caption)
    if pairs is not None and len(pairs.k_accuracy) > 1:
        chance = 1 / model.authors if model.authors else None
        doc.figures([figures.k_accuracy(pairs.k_accuracy, pairs.k, report.look(2.4), chance=chance)], floating=True)


def _diff_vectors(report: SectionWriter, pairs: PairRecord) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """How the diff-vector part came about: what it learns from, and what ranks authors by it."""
    say, model = report.say, report.found.model
    forensic = model.profile == "forensic"
    learnt = [
        (
            "Features",
            f"{say.count(pairs.features)} for Pr(Same), of {say.count(model.documents)} documents, in the families below",
        ),
        (
            "Training pairs",
            f"{say.count(pairs.pairs)}"
            + (", each document as often in pairs by one author as in pairs by two" if forensic else ""),
        ),
        (
            "Regularisation",
            f"C = {say.plain(pairs.c)}, chosen by cross-validation"
            + (
                " in which no document is on both sides of a split; the models of the validation, fitted without the "
                "texts that they are tried on, use this C and the weights in pairs below"
                if forensic
                else ""
            ),
        ),
        ("Convergence", "reached" if pairs.converged else "not reached"),
    ]
    ranking = [
        (
            "Lazy AA",
            f"the mean Pr(Same) with the k = {say.count(pairs.k)} most similar texts of each author"
            f"{', of authors with fewer known texts fewer in proportion' if forensic else ''}; k was chosen on scores of "
            f"{'unseen' if forensic else 'the training'} documents ({say.share(pairs.k_accuracy[pairs.k - 1])} right)",
        ),
        (
            "Stacked AA",
            "a classifier that learns from the scores with all known documents who wrote a text; its scores add up to one over the "
            + ("known authors, those of the population included" if model.population else "authors supplied"),
        ),
    ]
    return learnt, ranking


def _ratios(report: SectionWriter) -> str:
    """What the likelihood ratios of the report are made of."""
    if report.found.model.profile == "paper":
        return "none: the protocol of the paper has no calibration"
    if report.found.older_validation:
        return (
            f"by version {report.found.older_validation} of the program: of the Lazy score, less that of the best other authors, by "
            f"logistic calibration with equal class weights; {_BOUNDED}"
        )
    if report.found.validation is None:
        return "none: the model has no validation"
    if report.found.validation.reference is not None:
        listed = (
            ""
            if report.found.validation.reference.alone
            else "against another listed author the odds that the scores give, over even prior odds; "
        )
        return (
            f"of the fused score: {listed}against somebody else the score itself, by logistic calibration with equal class weights on the "
            f"scores of stand-ins; {_BOUNDED}"
        )
    return (
        "of the fused ranking: against another listed author the odds that it gives, over even prior odds; against somebody not in the "
        "corpus the author's standing among those of the text (how far above their mean, in units of their spread), by logistic "
        f"calibration with equal class weights; {_BOUNDED}"
    )
