"""What the terms of the window mean, in a few sentences each, written for a linguist; `help` shows them."""

from __future__ import annotations

from forensia.gui.casetopics import Topic, case_topics
from forensia.gui.words import tr


def topics() -> dict[str, Topic]:
    """All topics by the name that `HelpButton` takes."""
    return {
        **case_topics(),
        "pr_same": Topic(
            tr("What is Pr(Same)?"),
            (
                tr(
                    "A model score between 0 and 1 for a pair of texts. The model was shown many pairs of known texts, half of "
                    "them by one author and half by two, and learned which differences in style go with which. A score near 1 "
                    "means that this pair differs as texts of one author do."
                ),
                tr(
                    "It is not the probability that anybody is the author: in training, pairs by one author were as frequent as "
                    "pairs by two, and nobody knows how frequent they are in your case. Read it as a measure of likeness, and "
                    "the likelihood ratio as the evidence."
                ),
            ),
        ),
        "likelihood_ratio": Topic(
            tr("What is a likelihood ratio?"),
            (
                tr(
                    "It says how much more probable the findings are if one thing is true than if another is. An LR of 35 for "
                    "Author C means: findings like these are about 35 times more probable if Author C wrote the text than if "
                    "somebody else did."
                ),
                tr(
                    "There are two of them for each author, because there are two ways to be wrong: another of the listed authors wrote "
                    "the text, or somebody who is not in the corpus. The lower of the two is the headline: it is drawn in the table and "
                    "decides about the opinion. Both are printed beside it, and in the report."
                ),
                tr(
                    "With few authors nothing can be said of anybody else. Then there is one LR, against the other listed authors, and "
                    "everything holds on the condition that one of them wrote the text."
                ),
                tr(
                    "1 means that the findings do not help to decide. Below 1 they speak for the other side: 1/35 is as strong "
                    "as 35, in the other direction. log10 LR is the same number as a power of ten: 1 is 10 times, 2 is 100 times, "
                    "0 is neither."
                ),
                tr(
                    "An LR speaks about the findings, never about the author. How far it moves an opinion depends on everything "
                    "else that is known in the case, and that is for the court to weigh."
                ),
            ),
        ),
        "interval": Topic(
            tr("Why is there an interval, and what is 'at least'?"),
            (
                tr(
                    "The LR was worked out from a limited number of known texts. With other texts of the same authors it would "
                    "have come out a little differently; the interval says how much. A wide one means: more known texts are "
                    "needed."
                ),
                tr(
                    "'At least' and 'at most' mark the largest LR that so many validation comparisons can support. The formula "
                    "would go on beyond it; the data do not."
                ),
            ),
        ),
        "verbal": Topic(
            tr("What do 'weak', 'moderate' and 'strong' mean?"),
            (
                tr(
                    "Words for bands of likelihood ratios, from a published scale that the report names. They follow the "
                    "number and add nothing to it: give the number beside the word. Where the interval reaches over two bands, "
                    "both words are given."
                ),
            ),
        ),
        "no_opinion": Topic(
            tr("Why is there no opinion?"),
            (
                tr(
                    "Because something that an opinion needs is missing: too few left-out texts of this length stand behind it, nobody "
                    "said what the known texts come from, the validation shows that the model does not do well enough on texts like "
                    "these, or the findings do not tell the two sides apart. The reasons are listed. 'No opinion' is an answer, and often "
                    "the right one."
                ),
            ),
        ),
        "ranking": Topic(
            tr("What is the ranking?"),
            (
                tr(
                    "The candidate authors in the order of their scores: a relative ranking among the authors supplied, which "
                    "assumes that one of them wrote the text. Somebody is always first, even when none of them did."
                ),
                tr(
                    "So look at the verification of each author, and at whether the text is typical of the first one at all, "
                    "before the order means anything."
                ),
            ),
        ),
        "fused": Topic(
            tr("What is the fused ranking?"),
            (
                tr(
                    "The order of the candidates in a validated case, and what the likelihood ratios come from. For each thing that is "
                    "looked at (letters in a row, words, word classes and so on) one fit tells all authors apart; the scores of these "
                    "fits are added up, each with a weight. The weights are those under which known texts that were left out "
                    "go to their authors. The Model page shows them under Details: what the answer rests on."
                ),
                tr(
                    "The score is not a probability. It can be of any size, also below 0, and means something only beside the "
                    "scores of the other authors for the same text. How strong the evidence is, the likelihood ratio says."
                ),
                tr(
                    "A case without a validation and a model as published have no fused ranking: there the order is that of Lazy."
                ),
            ),
        ),
        "lazy": Topic(
            tr("What are Lazy and Stacked?"),
            (
                tr(
                    "Two ways from the scores of pairs to a score for each author. Lazy takes the mean score of the author's k "
                    "most similar known texts. Stacked is a second model that weighs the scores with all known texts together."
                ),
                tr(
                    "They stand beside the fused ranking as opinions of another kind. Where they put somebody else first, be careful: "
                    "the style does not settle the question."
                ),
            ),
        ),
        "k": Topic(
            tr("What is k?"),
            (
                tr(
                    "The number of an author's known texts that count in the Lazy score, the most similar ones first. A small k "
                    "asks whether any text of the author is very much like the disputed one; a large k asks whether they are on "
                    "the whole."
                ),
                tr(
                    "It is chosen on the known texts, each judged without itself. A flat curve means that the choice hardly "
                    "matters."
                ),
            ),
        ),
        "verification": Topic(
            tr("What is verification?"),
            (
                tr(
                    "A question about one author alone: did this author write the text, or did somebody else? It is asked for "
                    "each candidate, so several can be supported, or none."
                ),
                tr(
                    "Lazy and Stacked by themselves accept the author whom they put first, and nobody else. They cannot say that "
                    "none of the authors wrote the text; the likelihood ratio can."
                ),
            ),
        ),
        "conformal": Topic(
            tr("What is the conformal p?"),
            (
                tr(
                    "How usual the text would be for the author: the share of the author's own texts, each scored as if it were "
                    "the disputed one, that score as low as this text or lower. A very small p says that the text would be odd "
                    "among this author's."
                ),
                tr(
                    "It is approximate and weak, above all with few known texts. A large p speaks for nobody: other authors can "
                    "be usual company too."
                ),
            ),
        ),
        "cllr": Topic(
            tr("What is Cllr?"),
            (
                tr(
                    "One number for how good the likelihood ratios of this model were on known texts: whether they pointed in the "
                    "right direction, and whether their size was right. 0 would be perfect; 1 is no better than giving LR 1 "
                    "every time; above 1 they mislead."
                ),
                tr(
                    "Cllr min is what would be left if only their size were put right afterwards: it tells how well the scores "
                    "separate at all."
                ),
            ),
        ),
        "eer": Topic(
            tr("What is the equal error rate?"),
            (
                tr(
                    "The share of wrong answers at the threshold where texts by one author are taken for two as often as the "
                    "other way round. It says how well the scores separate, and nothing about one particular text."
                ),
            ),
        ),
        "tippett": Topic(
            tr("How do I read a Tippett plot?"),
            (
                tr(
                    "It shows all likelihood ratios of the validation at once. One curve is for comparisons where the author was "
                    "the true one, the other for those where it was somebody else. At each LR on the axis, a curve says which "
                    "share of its comparisons reached that LR or more."
                ),
                tr(
                    "The farther apart the curves, the better. Where the curve of the others is still above zero at the right of "
                    "LR 1, evidence pointed the wrong way: that share is the rate of misleading evidence."
                ),
            ),
        ),
        "calibration": Topic(
            tr("What is calibration?"),
            (
                tr(
                    "Scores become likelihood ratios by comparing them with scores of known texts, each given by a model that had "
                    "not seen the text. The plot shows whether LRs of a given size came about as often as they should. A line "
                    "along the diagonal is good; one that is flatter means that the LRs are too strong."
                ),
            ),
        ),
        "confusion": Topic(
            tr("How do I read the table of confusions?"),
            (
                tr(
                    "A row for each true author, a column for the author that the model put first. What lies off the diagonal "
                    "went to the wrong author. Look whether two authors are taken for each other, or whether one attracts the "
                    "texts of all."
                ),
            ),
        ),
        "open_set": Topic(
            tr("What if the author is not among the candidates?"),
            (
                tr(
                    "Then the ranking still has a first place. For this the validation takes each author out in turn and looks "
                    "how often a stranger's text gets a likelihood ratio that speaks for somebody. The more candidates, the "
                    "more often that happens to at least one of them."
                ),
            ),
        ),
        "validation": Topic(
            tr("How is the model validated?"),
            (
                tr(
                    "Each known text is taken out, a model is trained without it, and is asked who wrote it. Every figure on this "
                    "page comes from such answers. The intervals come from drawing authors and texts anew many times; they are "
                    "wide when there are few."
                ),
                tr(
                    "It is done in two ways. For a text from a new source (another book, another thread), one source of every author "
                    "is taken out at a time. For a new text from a known source, it is one text of every author; this is easier, so the "
                    "figures are better. For each disputed text you say which of the two holds; a new source is taken for granted."
                ),
                tr(
                    "It tells how the model does on texts like your known ones. For a disputed text of another kind, length or "
                    "time, it tells less."
                ),
            ),
        ),
        "explanation": Topic(
            tr("How do I read what speaks for and against?"),
            (
                tr(
                    "The fused score of an author is a sum of small contributions, one for each feature. What is shown is by how much"
                    " it exceeds that of another author, or the mean of all others. Each contribution is compared with the average "
                    "known text, so that what is missing in the disputed text counts as well as what is there; the baseline is what "
                    "an average text would get. Baseline and contributions add up to the total exactly. The unit is that of natural "
                    "logarithms: one more makes the odds 2.7 times as high, before any limit of the likelihood ratio."
                ),
                tr(
                    "Between two texts, and for models without a fused ranking, it is Pr(Same) that is taken apart: its log-odds, "
                    "each contribution compared with what is usual between texts by different authors. A rare habit that both texts "
                    "share weighs more than one that everybody has."
                ),
                tr(
                    "Features depend on one another, and none of them decides anything alone. Read them as a description of what "
                    "speaks for an author, and look at the passages in both texts."
                ),
            ),
        ),
        "typical": Topic(
            tr("How typical is this score?"),
            (
                tr(
                    "The score of this text for an author is set beside scores of known texts that the models had not seen: with "
                    "their own author, with another listed author, and of texts whose author had been taken out of the corpus. A "
                    "text by the author should stand among the first and beyond the others."
                ),
                tr(
                    "It is the fused score, told as how far the author stands above all authors of the text, in units of their spread, "
                    "so that texts can be compared."
                ),
            ),
        ),
        "sensitivity": Topic(
            tr("Why change things that should not matter?"),
            (
                tr(
                    "One family of features less, the topic hidden, one known document less, half of the text: if "
                    "the first place changes with any of them, the conclusion hangs on it and deserves less trust. "
                    "Methods of another kind are asked too; where they put somebody else first, say so."
                ),
            ),
        ),
        "masking": Topic(
            tr("Why hide the topic?"),
            (
                tr(
                    "When one author writes about ships and another about gardens, words alone tell them apart, and a disputed "
                    "text about ships would go to the first whoever wrote it. Masking replaces the words that carry the topic, "
                    "so that style remains: the small words, their order, the word forms."
                ),
                tr(
                    "Use it where the topics of the known texts differ between authors. It costs some accuracy elsewhere."
                ),
            ),
        ),
        "segments": Topic(
            tr("Why cut texts into segments?"),
            (
                tr(
                    "A few long texts give the model few pairs to learn from, and a long text is compared unfairly with a short "
                    "one. Pieces of about the length of the disputed text are compared on equal terms. Pieces of one text stay "
                    "together when the model is validated."
                ),
            ),
        ),
        "seed": Topic(
            tr("What is the seed?"),
            (
                tr(
                    "Training draws pairs of texts at random. The seed fixes the drawing: the same texts, settings and seed give "
                    "the same model, on any machine. Another seed shows how much depends on chance."
                ),
            ),
        ),
        "experiment": Topic(
            tr("What is an experiment?"),
            (
                tr(
                    "It repeats the evaluation of the published method on texts whose authors are known. In each run some authors "
                    "and some of their documents are drawn; the methods learn from these and are then asked about other documents "
                    "of which the answer is known too. The mean over many runs says how well a method does, the deviation how much "
                    "luck is in it."
                ),
                tr(
                    "The plans called 'Paper' have the sizes of the publication and can take hours; those called 'Quick' take "
                    "minutes. All methods see the same samples, so that they can be compared."
                ),
                tr(
                    "Every run that has ended is kept at once. Pause, close the window, even pull the plug: what is done is not "
                    "lost, and the rest can be run later."
                ),
            ),
        ),
        "experiment_data": Topic(
            tr("Which texts can be used?"),
            (
                tr(
                    "Any folder that the Corpus page can read: a folder for each author, or a table with authors. For each author "
                    "there must be more documents than the plan learns from, because others are needed to ask about: unless the "
                    "texts say which are for what, 70 of 100 are learnt from."
                ),
                tr(
                    "Published data sets are looked for in one folder by their names, as folders or as packed files. Copies of the "
                    "same text are left out."
                ),
            ),
        ),
        "tasks": Topic(
            tr("Which questions can be asked?"),
            (
                tr(
                    "Attribution: of m known authors, who wrote this text? All of them are candidates, and one of them did."
                ),
                tr(
                    "Same author, known authors: two texts are shown, and both writers are among those that were learnt from. Same "
                    "author, strangers: two texts by people of whom nothing was learnt, which is harder."
                ),
                tr(
                    "One author against the rest: all that is known of each text learnt from is whether A wrote it. This is how "
                    "verification is done where the other writers cannot be told apart."
                ),
            ),
        ),
        "sizes": Topic(
            tr("What are m, q, runs and seed?"),
            (
                tr(
                    "m is how many authors take part, q from how many documents of each is learnt. Several numbers with commas "
                    "between them make a curve: it shows what more texts would bring."
                ),
                tr(
                    "Each run draws authors and documents anew. Three runs give a first idea; ten are what the paper has, and what "
                    "tests of significance need. The seed makes the drawing repeatable: the same seed, the same samples."
                ),
            ),
        ),
        "methods": Topic(
            tr("Which methods are compared?"),
            (
                tr(
                    "Those that begin with DV, Lazy and Stacked are the method of the paper: it learns from the differences "
                    "between two texts. Those that begin with STD learn from the texts themselves, as is usual; SVM is another of "
                    "these. Impostors compares two texts with many by other writers."
                ),
                tr(
                    "Fused is the ranking that the forensic profile answers with; the paper does not know it, so it runs in that "
                    "profile only."
                ),
                tr("2xAA means: two texts are called Same when both are attributed to the same author."),
            ),
        ),
        "marks": Topic(
            tr("What do the stars in the table mean?"),
            (
                tr(
                    "The best mean is bold. Two stars: this method is not clearly worse than the best; so large a difference "
                    "comes about by chance in more than 5 of 100 cases. One star: clearly worse at that level, but not at 1 in "
                    "1,000. No star, shown as a dash: clearly worse at both."
                ),
                tr(
                    "Before the bar stands the paired t-test of the paper. Its runs share documents, so it sees differences too "
                    "easily; after the bar stands the test of Nadeau and Bengio, which allows for that and is more cautious."
                ),
            ),
        ),
    }
