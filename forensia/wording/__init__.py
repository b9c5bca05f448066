"""Every sentence about a number, made from codes and values in one place for terminal, window and report. Pure: nothing here computes."""

KNOWN_SOURCE = (
    "A known source is the very book, thread, account or occasion that known texts come from. A text from a later time (years later), "
    "from another occasion or in another medium is from a new source, even when the writer and the genre are the same: on news of a later "
    "time, own texts of a candidate were ruled out in up to 13 % where 5 % was stated."
)
"""What a known source is, for whoever states that a disputed text is from one; the help of the command line has it too."""
