"""The layouts in which the paper's data sets are published, among those in which people keep texts: the most telling first."""

from __future__ import annotations

from forensia.corpus.layouts import Layout
from forensia.corpus.layouts.authors import Authors
from forensia.corpus.layouts.flat import Flat
from forensia.corpus.layouts.manifest import Manifest
from forensia.corpus.layouts.pan_verification import PanVerification
from forensia.corpus.layouts.table import TableLayout
from forensia.experiments.layouts.arxiv import Arxiv
from forensia.experiments.layouts.imdb62 import Imdb62
from forensia.experiments.layouts.pan2011 import Pan2011
from forensia.experiments.layouts.victorian import Victorian

LAYOUTS: tuple[Layout, ...] = (
    Manifest(),
    PanVerification(),
    Pan2011(),
    Imdb62(),
    Authors(),
    Flat(),
    Victorian(),
    Arxiv(),
    TableLayout(),
)
