"""The embedded model's network, computed for one text at a time and twice as fast as spaCy does it.

spaCy turns every token anew into a vector before it looks at the neighbours. That vector depends on the word alone, so it
is kept for each distinct word here. All of it is plain numpy on the model's own weights, and row by row where vectors are
kept: what a text gives never depends on the texts before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# The universal tags, and spaCy's own for white space; the number of a tag never changes, for analyses are kept.
TAGS = tuple("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SPACE SYM VERB X".split())
_BLOCK = 1_024
_MOST_KEPT = 100_000
_SAMPLE = (
    "Dear Mr. O'Neil,\n\nI can't say who wrote it -- she didn't know, either... Was it sent on 12 May 2019, at 5:30pm?! "
    "THE FIRST DRAFT (see https://example.org) cost $4.50; nobody’s “second” one did.\nregards  j. smith *****"
)


class Network:
    """Tags and sentence starts from the lexical attributes of tokens."""

    def __init__(self, nlp: Any) -> None:
        """Take the weights from a pipeline of `tok2vec`, `morphologizer` and `senter`, as `fits` found it."""
        embed, encode = nlp.get_pipe("tok2vec").model.layers
        tagger, senter = nlp.get_pipe("morphologizer"), nlp.get_pipe("senter")
        self.attributes: list[str] = list(nlp.config["components"]["tok2vec"]["model"]["embed"]["attrs"])
        tables = [node for node in embed.walk() if node.name == "hashembed"]
        self._seeds = [int(table.attrs["seed"]) for table in tables]
        self._hash = embed.ops.hash
        mix, *layers = [_Maxout(nodes) for nodes in _maxouts(embed) + _maxouts(encode)]
        self._mix, self._layers = mix, layers
        width = tables[0].get_dim("nO")
        # What a row of a table adds to the next layer is known beforehand.
        self._rows = [
            np.asarray(table.get_param("E"), np.float32) @ mix.weights[place * width : (place + 1) * width]
            for place, table in enumerate(tables)
        ]
        self._tag_head = _Head(tagger, [TAGS.index(label.removeprefix("POS=")) for label in tagger.labels])
        self._start_head = _Head(senter, [int(label == "S") for label in senter.labels])
        self._factors = np.random.default_rng(0).integers(1 << 62, 1 << 63, len(tables), dtype=np.uint64) | np.uint64(1)
        self._forget()

    def _forget(self) -> None:
        self._places: dict[int, int] = {}
        self._kept = np.zeros((1_024, self._mix.width), np.float32)

    def read(self, attributes: NDArray[np.uint64]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """The tag of each token of a text, and whether it begins a sentence."""
        margin = len(self._layers)  # how far the layers look to each side; spaCy puts as many zeros around a text
        tags = np.zeros(len(attributes), np.uint8)
        starts = np.zeros(len(attributes), np.bool_)
        for begin in range(0, len(attributes), _BLOCK):
            end = min(begin + _BLOCK, len(attributes))
            first, last = max(begin - margin, 0), min(end + margin, len(attributes))
            seen = np.zeros((end - begin + 2 * margin, self._mix.width), np.float32)
            seen[first - begin + margin : last - begin + margin] = self._words(attributes[first:last])
            for layer in self._layers:
                seen += layer(_windows(seen))
            seen = seen[margin : len(seen) - margin]
            tags[begin:end] = self._tag_head(seen)
            starts[begin:end] = self._start_head(seen)
        starts[:1] = True
        return tags, starts

    def _words(self, attributes: NDArray[np.uint64]) -> Floats:
        """The vector of each token by itself."""
        keys = (attributes * self._factors).sum(axis=1, dtype=np.uint64).tolist()
        if len(self._places) > _MOST_KEPT:
            self._forget()
        known = self._places
        new = {key: place for place, key in enumerate(keys) if key not in known}
        if new:
            begin, end = len(known), len(known) + len(new)
            while end > len(self._kept):
                self._kept = np.concatenate((self._kept, np.zeros_like(self._kept)))
            self._kept[begin:end] = self._new_words(attributes[list(new.values())])
            known.update(zip(new, range(begin, end), strict=True))
        kept: Floats = self._kept[[known[key] for key in keys]]
        return kept

    def _new_words(self, attributes: NDArray[np.uint64]) -> Floats:
        total = np.repeat(self._mix.bias[None], len(attributes), axis=0)
        for place, (rows, seed) in enumerate(zip(self._rows, self._seeds, strict=True)):
            hashes = self._hash(np.ascontiguousarray(attributes[:, place]), seed) % len(rows)
            for column in range(hashes.shape[1]):
                total += rows[hashes[:, column]]
        return self._mix.finish(total)


class _Maxout:
    """A maxout layer with its normalisation; the pieces of its weights stand side by side, so that they are compared fast."""

    def __init__(self, nodes: tuple[Any, Any]) -> None:
        maxout, norm = nodes
        weights, bias = (np.asarray(maxout.get_param(name), np.float32) for name in ("W", "b"))  # out x pieces (x in)
        self.width, self.pieces = weights.shape[0], weights.shape[1]
        self.weights = np.ascontiguousarray(weights.transpose(2, 1, 0).reshape(weights.shape[2], -1))
        self.bias = np.ascontiguousarray(bias.T.reshape(-1))
        self._scale, self._shift = (np.asarray(norm.get_param(name), np.float32) for name in ("G", "b"))

    def __call__(self, inputs: Floats) -> Floats:
        total = inputs @ self.weights
        total += self.bias
        return self.finish(total)

    def finish(self, total: Floats) -> Floats:
        """The largest of the pieces, normalised."""
        best: Floats = total[:, : self.width]
        for piece in range(1, self.pieces):
            best = np.maximum(best, total[:, piece * self.width : (piece + 1) * self.width])
        best = best - best.mean(axis=1, keepdims=True)
        spread = np.einsum("ij,ij->i", best, best) / np.float32(self.width)
        best *= (1 / np.sqrt(spread + np.float32(1e-8)))[:, None]
        best *= self._scale
        best += self._shift
        return best


class _Head:
    """The choice among labels."""

    def __init__(self, component: Any, codes: list[int]) -> None:
        layer = next(node for node in component.model.layers[-1].walk() if node.name in ("softmax", "linear"))
        self._weights = np.ascontiguousarray(np.asarray(layer.get_param("W"), np.float32).T)
        self._bias = np.asarray(layer.get_param("b"), np.float32)
        self._codes = np.array(codes, np.uint8)

    def __call__(self, inputs: Floats) -> NDArray[np.uint8]:
        chosen: NDArray[np.uint8] = self._codes[(inputs @ self._weights + self._bias).argmax(axis=1)]
        return chosen


def _windows(rows: Floats) -> Floats:
    """Each row between its neighbours, zeros beyond the ends."""
    width = rows.shape[1]
    wide = np.zeros((len(rows), 3 * width), np.float32)
    wide[1:, :width] = rows[:-1]
    wide[:, width : 2 * width] = rows
    wide[:-1, 2 * width :] = rows[1:]
    return wide


def _maxouts(model: Any) -> list[tuple[Any, Any]]:
    """The maxout layers of a model in order, each with the normalisation that follows."""
    nodes = [node for node in model.walk(order="dfs_pre") if node.name in ("maxout", "layernorm")]
    return list(zip(nodes[::2], nodes[1::2], strict=True))


def fits(nlp: Any) -> bool:
    """Whether a pipeline is built as the embedded one is."""
    if list(nlp.pipe_names) != ["tok2vec", "morphologizer", "senter"]:
        return False
    parts: Mapping[str, Any] = {name: nlp.config["components"][name].get("model", {}) for name in nlp.pipe_names}
    body = parts["tok2vec"]
    embed, encode = body.get("embed", {}), body.get("encode", {})
    listeners = all(
        parts[head].get("@architectures") == "spacy.Tagger.v2"
        and parts[head].get("tok2vec", {}).get("@architectures") == "spacy.Tok2VecListener.v1"
        for head in ("morphologizer", "senter")
    )
    return (
        listeners
        and body.get("@architectures") == "spacy.Tok2Vec.v2"
        and embed.get("@architectures") == "spacy.MultiHashEmbed.v2"
        and not embed.get("include_static_vectors")
        and encode.get("@architectures") == "spacy.MaxoutWindowEncoder.v2"
        and encode.get("window_size") == 1
        and all(label.removeprefix("POS=") in TAGS for label in nlp.get_pipe("morphologizer").labels)
    )


def network_of(nlp: Any) -> Network | None:
    """The fast way for a pipeline, if it is built so and gives spaCy's own answer on a sample; else None."""
    if not fits(nlp):
        return None
    network = Network(nlp)
    doc = nlp(_SAMPLE)
    tags, starts = network.read(doc.to_array(network.attributes))
    same = [TAGS[tag] for tag in tags] == [token.pos_ for token in doc]
    if not same or starts.tolist() != [token.is_sent_start for token in doc]:
        return None
    _spare(nlp, {*network.attributes, "IS_SPACE"})
    return network


def _spare(nlp: Any, needed: set[str]) -> None:
    """Let the tokenizer not work out what nobody asks for: whether each new word looks like a number, a link, an address."""
    from spacy.attrs import IDS

    numbers = {IDS[name] for name in needed}
    getters = nlp.vocab.lex_attr_getters
    nlp.vocab.lex_attr_getters = {number: getter for number, getter in getters.items() if number in numbers}
