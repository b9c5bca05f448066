"""What must be decided in a case and is not a number, in a few sentences each: roles, questions, sources, several texts."""

from __future__ import annotations

from dataclasses import dataclass

from forensia.gui.words import tr
from forensia.wording.sources import KNOWN_SOURCE


@dataclass(frozen=True)
class Topic:
    """A question as the reader would ask it, and the answer in paragraphs."""

    question: str
    answer: tuple[str, ...]


def case_topics() -> dict[str, Topic]:
    """These topics by the name that `HelpButton` takes."""
    return {
        "possible": Topic(
            tr("What will be possible with these texts?"),
            (
                tr(
                    "What can be said of a disputed text depends on how many known texts there are, by whom, from which sources, and "
                    "how long they are. The list says so before anything is trained: ✓ for what will be possible, ○ for what will "
                    "not, with what is missing."
                ),
                tr(
                    "It looks at numbers alone. That a likelihood ratio is possible does not mean that it will be a good one: that is "
                    "found when the model is tried on texts it has not seen, and stands on the Model page."
                ),
            ),
        ),
        "roles": Topic(
            tr("What are candidates, and what is a population?"),
            (
                tr(
                    "Candidates are people who may have written the disputed texts: they are ranked, and an opinion can be about each "
                    "of them. A population is other people who write the same kind of texts: they stand for 'somebody else', and are "
                    "not ranked. With a population one candidate is enough."
                ),
                tr(
                    "Choose one that is as the disputed text is: the same genre, period and medium, and texts at least as long; "
                    "dozens of people rather than a few, none of them a candidate, and if it can be had with texts of each from two "
                    "sources."
                ),
                tr(
                    "The population can be known texts of this case ('Role' below the table), or a file that 'forensia population "
                    "make' wrote. Such a file has counts and no texts, so it gives the fused answer alone."
                ),
            ),
        ),
        "question": Topic(
            tr("Which question is asked of a text?"),
            (
                tr(
                    "'Who of these wrote it, if any?' is the open question. The answer is one of the candidates, none of them, or no "
                    "opinion."
                ),
                tr(
                    "'Who, when it is agreed that one of them did?' considers nobody else: the alternative is another of the "
                    "candidates. That one of them wrote the text is then not examined, so a reason is asked for, which the report "
                    "tells."
                ),
                tr(
                    "'Did one of them write it?' is about one candidate alone, who can be supported or ruled out. The other "
                    "candidates stay among those who may have written it instead."
                ),
                tr("Choose the question that was put to you, before you look at the answer."),
            ),
        ),
        "source": Topic(
            tr("Is a text from a new source or from a known one?"),
            (
                tr(
                    "A source is what a text comes from. Texts from one source are alike for other reasons than their writer, so the "
                    "figures for a known source are better. A new source is taken for granted; that it is a known one must be stated, "
                    "with a reason."
                ),
                KNOWN_SOURCE,
            ),
        ),
        "several": Topic(
            tr("Are several texts by one writer?"),
            (
                tr(
                    "Every two of them are compared, and each pair has a likelihood ratio: one writer against two. Then the two "
                    "groups with the highest mean log LR between their texts are joined, as long as that mean is above 0."
                ),
                tr(
                    "How often such groups are wrong is tried on known texts of the same lengths, by one writer, by two, and so on to "
                    "one for each text, as if nothing by their authors were known. Two errors are told apart: texts by two writers "
                    "that were put together, and texts by one writer that were split."
                ),
                tr("The groups do not say who the writers are. For that, analyse each text by itself."),
                tr(
                    "Keep puts the comparison, with its texts, into the case: the report tells it, and it can be verified. "
                    "Files that were compared become disputed texts of the case."
                ),
            ),
        ),
    }  # fmt: skip
