"""The places of the window: a page each, by the name of its icon, in the order of the rail."""

from forensia.gui.pages.compare import ComparePage
from forensia.gui.pages.corpus import CorpusPage
from forensia.gui.pages.disputed import DisputedPage
from forensia.gui.pages.experiments import ExperimentsPage
from forensia.gui.pages.model import ModelPage
from forensia.gui.pages.page import Page

PAGES: dict[str, type[Page]] = {
    "corpus": CorpusPage,
    "model": ModelPage,
    "disputed": DisputedPage,
    "compare": ComparePage,
    "experiments": ExperimentsPage,
}
PLACES = tuple(PAGES)


def place_name(place: str) -> str:
    """A place in the user's language."""
    return PAGES[place].called()
