"""The layouts in which the paper's data sets are published, among those in which people keep texts: the most telling first."""

from __future__ import annotations

from forensia.corpus.layouts import Layout
from forensia.corpus.layouts.usual import Authors, Flat, Manifest, PanVerification, TableLayout
from forensia.experiments.layouts.published import Arxiv, Imdb62, Pan2011, Victorian

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
