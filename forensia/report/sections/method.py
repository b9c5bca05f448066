"""The method, first in plain words, then as a specialist needs it; the propositions, and whom the alternatives stand for."""

from __future__ import annotations

from forensia import figures
from forensia.evidence.learnt import PairRecord
from forensia.features import FAMILIES
from forensia.report.blocks import Bullets, Column, FactList, Heading, Illustration, Paragraph, Table
from forensia.report.sections import Blocks, Report
from forensia.wording.ratios import ONE_WRITER, TWO_WRITERS, another_listed, author_wrote, somebody_else, unlisted
from forensia.wording.templates import named

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
_SPLIT = (
    " in which no document is on both sides of a split; the models of the validation, fitted without the "
    "texts that they are tried on, use this C and the weights in pairs below"
)
_FUSED_RANKING = (
    "least squares for each family of features, all authors at once; the scores of the families are added with the "
    "weights below, under which left-out texts are most probably by their authors, and a term that takes out how many "
    "texts an author has"
)
_FUSED_SCORE = (
    "for each family the mean of the other authors, each counting the same, is taken from the texts' vectors; with R "
    "the cosines of a candidate's texts among each other then and r those with the disputed one, the score is 1'(R + "
    "0.3 I)^-1 r, over the square root of 1'(R + 0.3 I)^-1 1; the scores of the families are added with the weights "
    "below, under which left-out texts are most probably by their authors, and a term that takes out how many "
    "texts an author has"
)


def method(report: Report) -> Blocks:
    """Method."""
    say, model, validation = report.say, report.contents.model, report.contents.validation
    fused = validation.weights if validation is not None else {}
    reference = None if validation is None else validation.reference
    language, pairs = model.language, model.pairs
    yield Heading("Method")
    yield Heading("In plain words", 1)
    plain = [
        _COUNTED,
        *([_AGAINST if reference else _FUSED] if fused else []),
        *([_BESIDE] if fused and pairs else []),
        *([_PAIRS] if pairs else []),
    ]
    yield Paragraph(" ".join(plain))
    if validation is not None or report.contents.older_validation:
        yield Paragraph(_STAND_INS if reference else _TRIED)
    yield Heading("In technical terms", 1)
    follows = "It follows the paper."
    if model.profile == "forensic":
        follows = "It differs from the paper where evidence needs it to, as stated below."
    beside = (
        f"{'the method' if fused else 'that'} of Diff-Vectors ({PAPER}): a text pair is represented by the absolute differences of its "
        f"feature values, and logistic regression on such vectors gives Pr(Same). {follows}"
    )
    if fused:
        name = "score" if reference else "ranking"
        below = f"The fused {name}, from which the likelihood ratios come, is described below."
        yield Paragraph(f"{below} Beside it stands {beside}" if pairs else below)
    else:
        yield Paragraph(f"The method is {beside}")
    first, second = ([], []) if pairs is None else _diff_vectors(report, pairs)
    of_fusion = ("Fused score", _FUSED_SCORE) if reference else ("Fused ranking", _FUSED_RANKING)
    words = say.count(int(language["function_words"]))
    yield FactList(
        [
            *first,
            ("Typing", _TYPING[model.typing]),
            ("Topic masking", model.mask),
            *([of_fusion] if fused else []),
            *second,
            ("Likelihood ratio", _ratios(report)),
            ("Language model", f"{language['name']} {language['version']}, {words} function words"),
        ]
    )
    families = [family for family in model.families if family in FAMILIES or family in fused]
    columns = [Column("Family of features", 110), Column("What is counted"), Column("In pairs", 54, "right")]
    rows: list[tuple[str, ...]] = [
        (family, _NAMES[family], say.setting(None if pairs is None else pairs.factors.get(family)))
        for family in families
    ]
    caption = (
        "The families of features, with their weights, which were chosen on the known texts. In pairs: what the values are multiplied by "
        "for Pr(Same)."
    )
    if fused:
        columns.append(Column("Fused", 54, "right"))
        rows = [(*row, say.setting(fused.get(row[0]))) for row in rows]
        caption += " Fused: what the scores are multiplied by, each in units of its spread."
    yield Table(columns, rows, caption)
    if pairs is not None and len(pairs.k_accuracy) > 1:
        chance = 1 / model.authors if model.authors else None
        drawing = figures.k_accuracy(pairs.k_accuracy, pairs.k, report.look(2.4), chance=chance)
        yield Illustration([drawing], floating=True)


def _diff_vectors(report: Report, pairs: PairRecord) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """How the diff-vector part came about: what it learns from, and what ranks authors by it."""
    say, model = report.say, report.contents.model
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
        ("Regularisation", f"C = {say.setting(pairs.c)}, chosen by cross-validation{_SPLIT if forensic else ''}"),
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


def _ratios(report: Report) -> str:
    """What the likelihood ratios of the report are made of."""
    validation, older = report.contents.validation, report.contents.older_validation
    if report.contents.model.profile == "paper":
        return "none: the protocol of the paper has no calibration"
    if older:
        return (
            f"by version {older} of the program: of the Lazy score, less that of the best other authors, by "
            f"logistic calibration with equal class weights; {_BOUNDED}"
        )
    if validation is None:
        return "none: the model has no validation"
    listed = "against another listed author the odds that {}, over even prior odds; "
    if validation.reference is not None:
        listed = "" if validation.reference.alone else listed.format("the scores give")
        return (
            f"of the fused score: {listed}against somebody else the score itself, by logistic calibration with equal class weights on the "
            f"scores of stand-ins; {_BOUNDED}"
        )
    return (
        f"of the fused ranking: {listed.format('it gives')}against somebody not in the "
        "corpus the author's standing among those of the text (how far above their mean, in units of their spread), by logistic "
        f"calibration with equal class weights; {_BOUNDED}"
    )


# --- propositions ---------------------------------------------------------------------------------------------------------


def propositions(report: Report) -> Blocks:
    """Propositions and relevant population."""
    contents, details = report.contents, report.details
    yield Heading("Propositions and relevant population")
    if contents.documents:
        yield from _about_candidates(report)
    if contents.comparisons:
        yield Paragraph(
            f"For texts compared with each other the propositions are, for each pair: the first, {ONE_WRITER}; the second, {TWO_WRITERS}. "
            "Whoever wrote them is taken to write as differently from others as the authors of the known texts do."
        )
    if details.propositions:
        yield Paragraph(f"As instructed: {details.propositions}")
    if contents.documents:
        yield Paragraph(_of_a_population(report) if contents.population else _of_listed(report))
    stands = "the reference population represents" if contents.population else "the listed authors represent"
    if details.population:
        yield Paragraph(f"Relevant population, as stated by the analyst: {details.population}")
    else:
        yield Paragraph(
            f"The analyst has recorded no relevant population. Whether {stands} "
            "those who could have written the disputed text must be argued from the circumstances of the case."
        )
    unused = [each.author for each in contents.materials.authors if not each.documents]
    if unused:
        yield Paragraph(
            f"All texts of {report.say.count(len(unused))} further authors were excluded; nothing is said about them."
        )


def _about_candidates(report: Report) -> Blocks:
    """The propositions about candidates, and which likelihood ratios are calculated between them."""
    contents, alone = report.contents, report.alone
    each = "each disputed text" if alone else "each listed author and each disputed text"
    yield Paragraph(f"For {each} the findings are weighed between two propositions:", keep=True)
    first = (
        author_wrote(contents.documents[0].result.candidates[0].author)
        if alone
        else "this author wrote the disputed text"
    )
    outside = somebody_else() if contents.population else unlisted()
    second = f"the second, in two forms: {another_listed()}; or {outside}."
    if contents.closed or alone:
        second = f"the second: {another_listed() if contents.closed else somebody_else()}."
    yield Bullets([f"the first: {first};", second])
    yield Paragraph(_calculated(report))
    some = [report.name(each) for each in contents.documents if each.result.question.kind == "one of these"]
    if some and not contents.agreed:
        yield Paragraph(
            f"For {named(some)} it is agreed that one of the listed authors wrote the text, as the analyst states: the LR is that against "
            "another of them, and nobody else is considered."
        )


def _validated(report: Report) -> bool:
    return report.contents.validation is not None or bool(report.contents.older_validation)


def _calculated(report: Report) -> str:
    """Which likelihood ratios are calculated."""
    contents = report.contents
    if not _validated(report):
        return "Without a validation no likelihood ratio is calculated against either form of the second."
    condition = (
        "A likelihood ratio is calculated on the condition that one of the listed authors wrote the disputed text"
    )
    if contents.agreed:
        return f"{condition}, which is agreed, as the analyst states. It was not examined, and nothing here speaks for or against it."
    if report.alone:
        return "One likelihood ratio is calculated, for the first proposition against the second."
    if contents.closed:
        return f"{condition}. They are too few to say anything of somebody else."
    reported = (
        "The weaker of the two is the one that is reported, so that no more is claimed than both support."
        if contents.older_validation
        else "The lower of the two is the one that is reported: the one that is less favourable to the first proposition."
    )
    return f"A likelihood ratio is calculated against either form of the second proposition. {reported}"


def _of_listed(report: Report) -> str:
    """Who is listed, and whom else they stand for."""
    contents = report.contents
    said = f"The listed authors are the {report.say.count(contents.model.authors)} whose texts were supplied."
    if not _validated(report) or contents.closed:
        return said
    return (
        f"{said} They also stand for 'somebody who is not in the corpus': what such a person's text looks like to the model is learnt "
        "from each of them in turn, as if nothing by that author were known. So the second form holds for people who write as "
        "differently from each other as the listed authors do, in texts of this kind."
    )


def _of_a_population(report: Report) -> str:
    """Who is a candidate, and whom the reference population stands for."""
    say, contents = report.say, report.contents
    listed = (
        f"The only candidate is {contents.documents[0].result.candidates[0].author}."
        if report.alone
        else f"The listed authors are the {say.count(contents.candidates)} candidates."
    )
    return (
        f"{listed} The {say.count(contents.population)} authors of the reference population are no candidates, and nothing is said about "
        "any of them. They stand for 'somebody else': what a text by somebody else looks like beside a candidate's is learnt from them, "
        "and from the candidates' texts held against them. So the second proposition holds for people who write as the population does, in "
        "texts of this kind."
    )
