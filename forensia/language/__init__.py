"""Text into tokens, sentences and tags: the embedded spaCy pipeline, the function words, the cache."""

from forensia.language.analyse import AnalysisCache, MemoryCache, analyse, passage
from forensia.language.analysis import TAGS, Analysis
from forensia.language.functionwords import fold, function_words
from forensia.language.model import EMBEDDED, LanguageModel, load_model

__all__ = [
    "EMBEDDED",
    "TAGS",
    "Analysis",
    "AnalysisCache",
    "LanguageModel",
    "MemoryCache",
    "analyse",
    "fold",
    "function_words",
    "load_model",
    "passage",
]
