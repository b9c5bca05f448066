"""Every sentence about a number, made from codes and values in one place for terminal, window and report. Pure: nothing here computes."""

KNOWN_SOURCE = (
    "A known source is the very book, thread, account or occasion that known texts come from. A text from a later time (years later), "
    "from another occasion or in another medium is from a new source, even when the writer and the genre are the same: on news of a later "
    "time, own texts of a candidate were ruled out in up to 13 % where 5 % was stated."
)
"""What a known source is, for whoever states that a disputed text is from one; the help of the command line has it too."""

CHOOSING_POPULATION = (
    "A population stands for everybody else who could have written the disputed text, so it should be as that text is: of the same "
    "genre (letters for a letter), the same period, the same medium (mails for a mail) and language, at least as long, by many people "
    "(dozens rather than a few), none of them a candidate, and if possible with texts of each from two sources or more. "
    "`population show NAME.population --against FILE` says where one does not fit."
)
MAKING_POPULATION = (
    "Count the texts of a folder in blocks of 100 words, and keep the counts in a file that can be used again and handed on. The texts "
    "themselves are not in it; but much of them can be put together again from the n-grams of each block, so hand it on only to those "
    "who could be given the texts."
)
SHOWING_POPULATION = "What a population is: its authors, texts, words, sources and typing; and whether it suits a disputed text or a case."
"""What a population is for, and what becomes of its texts, for the help of the command line."""
