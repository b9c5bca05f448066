"""Train the embedded English model: universal parts of speech and sentence boundaries, from UD English EWT alone.

    python resources/language/train.py TREEBANK_DIR_OR_TARXZ OUT_DIR [--seed N] [--steps N]

The result is an ordinary spaCy folder with a tokenizer, `tok2vec`, `morphologizer` (`pos_` only) and `senter`. The same
seed gives the same model on the same machine: one thread, and every random choice comes from the seed.

What differs from spaCy's own training:

* Both heads are trained at once in a plain loop, on the arrays of lexical attributes.
* The treebank is laid out anew in each epoch (see `Augmenter`): real texts have line breaks, mails have none of the
  punctuation, and chats have no capitals.
* Rare words are sometimes hidden from the network ("word dropout"), so that it learns to do with prefix, suffix, shape
  and context, as it has to with words it has never seen.
* The weights kept are a running average.
"""

from __future__ import annotations

import argparse
import logging
import random
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from evaluate import (
    Document,
    Layout,
    Sentence,
    Word,
    folder_size,
    lay_out,
    quality,
    read_treebank,
    sentence_scores,
    tag_accuracy,
)
from numpy.typing import NDArray
from spacy.lang.char_classes import ICONS
from spacy.language import Language
from spacy.symbols import ORTH
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex
from thinc.api import Adam, Config, Model, chain, fix_random_seed, set_dropout_rate, use_ops
from threadpoolctl import threadpool_limits

log = logging.getLogger("train")

TAGS = (
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SPACE SYM VERB X".split()
)  # universal, with spaCy's SPACE

CONFIG = """
[nlp]
lang = "en"
pipeline = ["tok2vec","morphologizer","senter"]
batch_size = 8

[components]

[components.tok2vec]
factory = "tok2vec"

[components.tok2vec.model]
@architectures = "spacy.Tok2Vec.v2"

[components.tok2vec.model.embed]
@architectures = "spacy.MultiHashEmbed.v2"
include_static_vectors = false

[components.tok2vec.model.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
window_size = 1

[components.morphologizer]
factory = "morphologizer"

[components.morphologizer.model]
@architectures = "spacy.Tagger.v2"

[components.morphologizer.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"

[components.senter]
factory = "senter"

[components.senter.model]
@architectures = "spacy.Tagger.v2"

[components.senter.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
"""


@dataclass(frozen=True)
class Settings:
    """All that decides what the model becomes."""

    seed: int = 7
    width: int = 64
    depth: int = 3
    pieces: int = 3
    rows: dict[str, int] = field(
        default_factory=lambda: {"NORM": 5000, "PREFIX": 300, "SUFFIX": 3000, "SHAPE": 700, "SPACY": 50}
    )
    steps: int = 6000
    batch_words: int = 700
    learn_rate: float = 0.002
    warmup: int = 100
    weight_decay: float = 0.0
    dropout: float = 0.15
    word_dropout: float = 0.3  # a word seen f times is hidden with the chance d / (d + f)
    label_smoothing: float = 0.03
    sentence_weight: float = 0.5
    average: float = 0.998  # decay of the running average of the weights
    lower_case: float = 0.08
    upper_case: float = 0.02
    unpunctuated: float = 0.08
    check_every: int = 500  # steps between two looks at the development part
    sentence_worth: float = 0.05  # what a point of sentence F1 counts for there, against a point of tags


# --- the tokenizer ---------------------------------------------------------------------------------------------------

RUN = r"(?P<run>[*!?.=_~#+<>^|@$%,;:\\-])(?P=run)+"  # the same symbol over and over
EXCLAMATIONS = r"[!?][!?]+"
INSIDE = rf"(?=[-*!?.=_~#+<>^|@$%,;:\\/…–—{ICONS}])"  # whatever divides a word begins with one of these


def _condensed(patterns: Sequence[str]) -> list[str]:
    """The same patterns with all single characters in one class, which is quicker to try."""
    single = [pattern for pattern in patterns if re.fullmatch(r"\\?.", pattern)]
    characters = "".join(re.escape(pattern[-1]) for pattern in single)
    return [f"[{characters}]", *(pattern for pattern in patterns if pattern not in single)]


def set_tokenizer(nlp: Language) -> None:
    """Give `nlp` the tokenizer for English with some changes, all of them kept in the saved model.

    Runs of a symbol (`*****`, `!!!`, `-----`) stay one token, as in the treebank. The special cases lose their NORM, so
    that a word has the same features wherever its token comes from. The rest is for speed and changes no token: the
    patterns are condensed, and the special cases for mere white space go, because after a special case spaCy does not
    remember the rest of a text.
    """
    defaults: Any = nlp.Defaults
    tokenizer: Any = nlp.tokenizer
    runs = [EXCLAMATIONS, RUN]
    inside = "|".join([*runs, *defaults.infixes])
    tokenizer.prefix_search = compile_prefix_regex([*runs, *_condensed(defaults.prefixes)]).search
    tokenizer.suffix_search = compile_suffix_regex([*runs, *_condensed(defaults.suffixes)]).search
    tokenizer.infix_finditer = compile_infix_regex([f"{INSIDE}(?:{inside})"]).finditer
    tokenizer.rules = {
        text: [{ORTH: piece[ORTH]} for piece in pieces] for text, pieces in tokenizer.rules.items() if text.strip()
    }


# --- the network -----------------------------------------------------------------------------------------------------


def _component(nlp: Language, name: str) -> Any:
    return nlp.get_pipe(name)


def build(settings: Settings) -> Language:
    """The untrained pipeline."""
    config = Config().from_str(CONFIG)
    config["system"] = {"seed": settings.seed}
    config["training"] = {  # as far as spaCy has names for it; all of it is in Settings
        "dropout": settings.dropout,
        "max_steps": settings.steps,
        "eval_frequency": settings.check_every,
    }
    components = config["components"]
    embed, encode = components["tok2vec"]["model"]["embed"], components["tok2vec"]["model"]["encode"]
    embed.update(width=settings.width, attrs=list(settings.rows), rows=list(settings.rows.values()))
    encode.update(width=settings.width, depth=settings.depth, maxout_pieces=settings.pieces)
    for head in ("morphologizer", "senter"):
        components[head]["model"]["tok2vec"]["width"] = settings.width
    nlp = spacy.util.load_model_from_config(config, auto_fill=True)
    set_tokenizer(nlp)
    for tag in TAGS:
        _component(nlp, "morphologizer").add_label(f"POS={tag}")
    words = ["One", ".", "Two", "."]
    gold = Doc(nlp.vocab, words=words, pos=["NUM", "PUNCT"] * 2, sent_starts=[True, False] * 2)
    nlp.initialize(lambda: [Example(Doc(nlp.vocab, words=words), gold)])
    return nlp


@dataclass
class Network:
    """The trainable parts of a pipeline, from arrays of lexical attributes to the scores of both heads."""

    body: Model[Any, Any]
    tags: Model[Any, Any]
    sentences: Model[Any, Any]
    attributes: list[int | str]
    tag_numbers: dict[str, int]
    sentence_numbers: dict[bool, int]

    @classmethod
    def of(cls, nlp: Language, settings: Settings) -> Network:
        tok2vec = _component(nlp, "tok2vec").model
        embed, encode = tok2vec.layers
        tagger, senter = _component(nlp, "morphologizer"), _component(nlp, "senter")
        return cls(
            body=chain(*embed.layers[1:], encode),  # without the layer that reads the attributes from a Doc
            tags=tagger.model.layers[-1],
            sentences=senter.model.layers[-1],
            attributes=list(settings.rows),
            tag_numbers={label.removeprefix("POS="): number for number, label in enumerate(tagger.labels)},
            sentence_numbers={label == "S": number for number, label in enumerate(senter.labels)},
        )

    def nodes(self) -> list[Model[Any, Any]]:
        """All layers with weights, each once, in a fixed order."""
        found: dict[int, Model[Any, Any]] = {}
        for model in (self.body, self.tags, self.sentences):
            for node in model.walk():
                if node.param_names:
                    found.setdefault(node.id, node)
        return list(found.values())

    def weights(self) -> list[Any]:
        return [node.get_param(name) for node in self.nodes() for name in node.param_names if node.has_param(name)]

    def set_weights(self, weights: Sequence[Any]) -> None:
        remaining = iter(weights)
        for node in self.nodes():
            for name in node.param_names:
                if node.has_param(name):
                    node.set_param(name, next(remaining).copy())


# --- the training material -------------------------------------------------------------------------------------------

LINE_BREAKS = ("\n", "\n", "\n", "\n\n", "\n    ", "\n\n\n", "\n\t", "\n \n")
FINAL = re.compile(r"[.!?…]+")


class Augmenter:
    """Lays the treebank out in many ways: as it is, broken into lines, without capitals, without punctuation."""

    def __init__(self, documents: Sequence[Document], settings: Settings) -> None:
        self.documents = documents
        self.settings = settings
        self.random = random.Random(settings.seed)

    def epoch(self) -> Iterator[Layout]:
        """Every sentence of the treebank once, in stretches of some sentences, in a new order."""
        stretches: list[Layout] = []
        for document in self.documents:
            rest = document
            while rest:
                stretch, rest = self._cut(rest)
                stretches.append(self._lay_out(stretch))
        self.random.shuffle(stretches)
        yield from stretches

    def _cut(self, document: Document) -> tuple[Document, Document]:
        """The first sentences of the document (1 to some dozen), and what is left of it."""
        wanted = 1 if self.random.random() < 0.15 else self.random.randint(2, 25)
        head: Document = []
        for number, paragraph in enumerate(document):
            head.append(paragraph[:wanted])
            wanted -= len(head[-1])
            if not wanted:
                left = paragraph[len(head[-1]) :]
                return head, ([left] if left else []) + document[number + 1 :]
        return head, []

    def _lay_out(self, document: Document) -> Layout:
        chance, settings = self.random.random, self.settings
        case = chance()
        if case < settings.lower_case:
            document = _with_case(document, lower=True)
        elif case < settings.lower_case + settings.upper_case:
            document = _with_case(document, lower=False)
        bare = chance() < settings.unpunctuated
        if bare:
            document = [[self._without_punctuation(sentence) for sentence in paragraph] for paragraph in document]
        style = chance()
        if style < 0.5 and not bare:
            return lay_out(document)
        if style < 0.6 and not bare:
            return lay_out(document, " ")
        if style < 0.75 or (bare and chance() < 0.8):
            return self._in_lines(document)
        if style < 0.85:
            return self._with_wide_spaces(document)
        return self._wrapped(lay_out(document, self.random.choice(LINE_BREAKS)))

    def _without_punctuation(self, sentence: Sentence) -> Sentence:
        """Only the final mark gone, or all punctuation; never the whole sentence."""
        everything = self.random.random() < 0.4
        kept: Sentence = []
        for position, word in enumerate(sentence):
            last = position >= len(sentence) - 1
            if word.upos == "PUNCT" and (everything or (last and FINAL.fullmatch(word.text))):
                if kept and word.space:
                    kept[-1] = replace(kept[-1], space=True)
                continue
            kept.append(word)
        return kept or sentence

    def _in_lines(self, document: Document) -> Layout:
        """Each sentence on its own line, paragraphs apart by one or more line breaks."""
        lines = [[sentence] for paragraph in document for sentence in paragraph]
        return lay_out(lines, self.random.choice(LINE_BREAKS))

    def _with_wide_spaces(self, document: Document) -> Layout:
        """Two spaces between sentences, as typists do: spaCy makes the second one a token."""
        layout = lay_out(document)
        wide = Layout([], [], [], [])
        for word, space, tag, first in zip(layout.words, layout.spaces, layout.tags, layout.starts, strict=True):
            if first and wide.spaces and wide.spaces[-1]:
                _append(wide, " ", False, "SPACE")
            _append(wide, word, space, tag, first)
        return wide

    def _wrapped(self, layout: Layout) -> Layout:
        """Lines broken at a width, as in mail."""
        width = self.random.randint(45, 80)
        wrapped = Layout([], [], [], [])
        column = 0
        for word, space, tag, first in zip(layout.words, layout.spaces, layout.tags, layout.starts, strict=True):
            if column + len(word) > width and wrapped.spaces and wrapped.spaces[-1]:
                wrapped.spaces[-1] = self.random.random() < 0.1
                _append(wrapped, "\n", False, "SPACE")
                column = 0
            _append(wrapped, word, space, tag, first)
            column = 0 if tag == "SPACE" else column + len(word) + space
        return wrapped


def _append(layout: Layout, word: str, space: bool, tag: str, first: bool = False) -> None:
    layout.words.append(word)
    layout.spaces.append(space)
    layout.tags.append(tag)
    layout.starts.append(first)


def _with_case(document: Document, *, lower: bool) -> Document:
    def change(word: Word) -> Word:
        return replace(word, text=word.text.lower() if lower else word.text.upper())

    return [[[change(word) for word in sentence] for sentence in paragraph] for paragraph in document]


@dataclass(frozen=True)
class Batch:
    features: list[NDArray[np.uint64]]
    tags: NDArray[np.int64]
    starts: NDArray[np.int64]


def batches(nlp: Language, network: Network, documents: Sequence[Document], settings: Settings) -> Iterator[Batch]:
    """Endless batches of about `batch_words` words, with rare words hidden."""
    augmenter = Augmenter(documents, settings)
    generator = np.random.default_rng(settings.seed)
    norm = network.attributes.index("NORM")
    seen: Counter[int] = Counter()
    for document in documents:
        seen.update(lay_out(document).doc(nlp).to_array(["NORM"]).tolist())
    while True:
        features: list[NDArray[np.uint64]] = []
        tags: list[int] = []
        starts: list[int] = []
        for layout in augmenter.epoch():
            array: Any = layout.doc(nlp).to_array(network.attributes)
            counts = np.array([seen[key] for key in array[:, norm].tolist()])
            hidden = generator.random(len(array)) < settings.word_dropout / (settings.word_dropout + counts)
            hidden &= np.array([tag != "SPACE" for tag in layout.tags])
            array[hidden, norm] = generator.integers(0, 2**63, int(hidden.sum()), dtype=np.uint64)
            features.append(array)
            tags.extend(network.tag_numbers[tag] for tag in layout.tags)
            starts.extend(network.sentence_numbers[first] for first in layout.starts)
            if len(tags) >= settings.batch_words:
                yield Batch(features, np.array(tags), np.array(starts))
                features, tags, starts = [], [], []


# --- training --------------------------------------------------------------------------------------------------------


def _gradient(
    scores: Sequence[NDArray[np.float32]], gold: NDArray[np.int64], smoothing: float, weight: float
) -> tuple[list[NDArray[np.float32]], float]:
    """The gradient of the cross entropy, laid out as the scores, and the mean loss."""
    joined = np.concatenate(list(scores))
    rows = np.arange(len(gold))
    loss = -float(np.log(joined[rows, gold] + 1e-9).mean())
    target = np.full_like(joined, smoothing / joined.shape[1])
    target[rows, gold] += 1 - smoothing
    gradient = (joined - target) * np.float32(weight / len(gold))
    return np.split(gradient, np.cumsum([len(part) for part in scores])[:-1]), loss


def _learn_rate(step: int, settings: Settings) -> float:
    """Rises for some steps, then falls linearly to nothing."""
    warm = min(1.0, (step + 1) / settings.warmup)
    return settings.learn_rate * warm * (1 - step / settings.steps)


def train(nlp: Language, treebank: Path, settings: Settings) -> None:
    """Train the pipeline in place; it ends with the averaged weights that were best on the development part."""
    network = Network.of(nlp, settings)
    documents = read_treebank(treebank, "train")
    development = [lay_out(document) for document in read_treebank(treebank, "dev")]
    optimizer = Adam(settings.learn_rate, L2=settings.weight_decay, L2_is_weight_decay=True)
    for model in (network.body, network.tags, network.sentences):
        set_dropout_rate(model, settings.dropout)
    average = [weight.copy() for weight in network.weights()]
    best, best_worth = average, 0.0
    losses: list[tuple[float, float]] = []
    begun = time.perf_counter()
    for step, batch in zip(range(settings.steps), batches(nlp, network, documents, settings), strict=False):
        optimizer.learn_rate = _learn_rate(step, settings)
        vectors, back = network.body(batch.features, is_train=True)
        tag_scores, tags_back = network.tags(vectors, is_train=True)
        start_scores, starts_back = network.sentences(vectors, is_train=True)
        tag_gradient, tag_loss = _gradient(tag_scores, batch.tags, settings.label_smoothing, 1.0)
        start_gradient, start_loss = _gradient(
            start_scores, batch.starts, settings.label_smoothing, settings.sentence_weight
        )
        pairs = zip(tags_back(tag_gradient), starts_back(start_gradient), strict=True)
        back([of_tags + of_starts for of_tags, of_starts in pairs])
        for node in network.nodes():
            node.finish_update(optimizer)
        optimizer.step_schedules()
        losses.append((tag_loss, start_loss))
        decay = min(settings.average, (1 + step) / (10 + step))
        for mean, weight in zip(average, network.weights(), strict=True):
            mean += (weight - mean) * np.float32(1 - decay)
        if (step + 1) % settings.check_every == 0 or step + 1 == settings.steps:
            current = [weight.copy() for weight in network.weights()]
            network.set_weights(average)
            tags = tag_accuracy(nlp, development)
            sentences = sentence_scores(nlp, development, gold_tokens=False)["f1"]
            worth = tags + settings.sentence_worth * sentences
            if worth > best_worth:
                best, best_worth = [weight.copy() for weight in average], worth
            network.set_weights(current)
            log.info(
                "step %5d  loss %.3f %.3f  dev: tags %.2f  sentences %.2f  (%d s)",
                step + 1,
                *np.mean(losses, axis=0),
                tags,
                sentences,
                time.perf_counter() - begun,
            )
            losses.clear()
    network.set_weights(best)


# --- the finished model ----------------------------------------------------------------------------------------------


def save(nlp: Language, settings: Settings, out: Path, performance: dict[str, Any]) -> None:
    """Write the weights of `nlp` in a fresh pipeline, without the words of the treebank."""
    fresh = build(settings)
    for name in ("tok2vec", "morphologizer", "senter"):
        _component(fresh, name).model.from_bytes(_component(nlp, name).model.to_bytes())
    fresh.meta.update(
        name="forensia_english",
        version="1.0.0",
        spacy_version=">=3.8.0,<3.9.0",
        description="Universal parts of speech and sentence boundaries for English, made for Forensia.",
        author="Forensia",
        license="CC BY-SA 4.0",
        sources=[
            {
                "name": "Universal Dependencies English EWT",
                "url": "https://github.com/UniversalDependencies/UD_English-EWT",
                "author": "Natalia Silveira et al. (2014) and the maintainers of UD English EWT",
                "license": "CC BY-SA 4.0",
            }
        ],
        performance=performance,
    )
    if out.exists():
        shutil.rmtree(out)
    fresh.to_disk(out, exclude=["vocab"])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Train the embedded English model on UD English EWT.")
    parser.add_argument("treebank", type=Path, help="the treebank: a folder or a .tar.xz archive")
    parser.add_argument("out", type=Path, help="folder to write the model to; what is there is replaced")
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--steps", type=int, default=Settings.steps)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    logging.getLogger("spacy").setLevel(logging.WARNING)
    settings = Settings(seed=options.seed, steps=options.steps)
    with threadpool_limits(limits=1), use_ops("numpy", use_blis=False):
        fix_random_seed(settings.seed)
        nlp = build(settings)
        train(nlp, options.treebank, settings)
        save(nlp, settings, options.out, {})
        scores = quality(spacy.load(options.out), read_treebank(options.treebank, "test"))
        save(nlp, settings, options.out, scores)
    for name, value in scores.items():
        log.info("%-32s %s", name, value)
    log.info("%-32s %d", "size_bytes", folder_size(options.out))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
