"""Text into tokens, sentences and tags: the embedded spaCy pipeline, the function words, the cache."""

from forensia.language.analysis import Analysis, AnalysisCache, MemoryCache, analyse, passage
from forensia.language.model import EMBEDDED, LanguageModel, fold, function_words, load_model
from forensia.language.network import TAGS

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
