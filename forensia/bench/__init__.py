"""Measurements of the program itself, against the reference recipe, the clock and its own claims; the command line alone uses them."""
