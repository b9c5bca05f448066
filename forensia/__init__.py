"""Forensia: who wrote this text?

For a notebook, in five lines:

    corpus = forensia.read("letters")                      # a folder for each author, their texts inside
    model = forensia.train(corpus)                         # trained, and tried on texts it has not seen
    result = model.rank("anonymous.txt")                   # the candidates, the best first, and the opinion
    candidate = model.verify("anonymous.txt", "Freya Lund")  # one of them, with the likelihood ratio
    pair = model.compare("anonymous.txt", "another.txt")   # one writer or two

`forensia.words(result)` says it in sentences. What goes wrong is a `ForensiaError` with a sentence.
What is not here is not promised to stay.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"
__all__ = ["Case", "Corpus", "ForensiaError", "Model", "Result", "__version__", "open_case", "read", "train", "words"]

if TYPE_CHECKING:
    from forensia.service.notebook import Case, Corpus, ForensiaError, Model, Result, open_case, read, train, words


def __getattr__(name: str) -> Any:
    """The engine is loaded by whoever asks for it: the window must be up before."""
    if name not in __all__:
        raise AttributeError(f"module 'forensia' has no attribute '{name}'")
    from forensia.service import notebook

    return getattr(notebook, name)
