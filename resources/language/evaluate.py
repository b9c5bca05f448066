"""Measure the embedded English model on the test part of UD English EWT, and its speed on real text.

    python resources/language/evaluate.py TREEBANK_DIR_OR_TARXZ [MODEL_DIR] [--texts DIR_OR_TARXZ] [--json FILE]

How it is measured:

* A treebank document is laid out as UD does it: the words with the spaces that `SpaceAfter` tells, one space between
  the sentences of a paragraph, an empty line between two paragraphs. Nothing else marks the end of a sentence.
* "Gold tokens" are the syntactic words of the treebank (`do` + `n't`), an empty line being one white-space token.
  White-space tokens are never counted.
* "Own tokens" are those of the model's tokenizer on the raw text. A word is right when the treebank has a word at
  exactly the same place of the text with the same tag; precision and recall are over all words of either side.
* A sentence is right when its first and last character, white space left out, are both those of a treebank sentence.
* Speed is that of the whole pipeline on one core, tokenizer included, with words and white space counted.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tarfile
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from thinc.api import use_ops
from threadpoolctl import threadpool_limits

PARAGRAPH_BREAK = "\n\n"
BATCH_SIZE = 8  # documents; large batches leave the processor's cache and are slower
ROUNDS = 5


@dataclass(frozen=True)
class Word:
    """A syntactic word: its form, its universal part of speech, and whether a space follows."""

    text: str
    upos: str
    space: bool


Sentence = list[Word]
Paragraph = list[Sentence]
Document = list[Paragraph]


def _treebank_lines(treebank: Path, part: str) -> Iterator[str]:
    """The lines of the CoNLL-U file of `part`, from a folder (searched to any depth) or from an archive."""
    ending = f"-ud-{part}.conllu"
    if treebank.is_dir():
        files = sorted(treebank.rglob(f"*{ending}"))
        if len(files) != 1:
            raise SystemExit(f"{treebank}: expected one file *{ending}, found {len(files)}.")
        with files[0].open(encoding="utf-8") as stream:
            yield from stream
        return
    with tarfile.open(treebank) as archive:
        members = [member for member in archive.getmembers() if member.isfile() and member.name.endswith(ending)]
        if len(members) != 1:
            raise SystemExit(f"{treebank}: expected one file *{ending}, found {len(members)}.")
        content = archive.extractfile(members[0])
        assert content is not None
        for line in content:
            yield line.decode("utf-8")


def read_treebank(treebank: Path, part: str) -> list[Document]:
    """The documents of one part ("train", "dev" or "test") of the treebank."""
    documents: list[Document] = []
    sentence: Sentence = []
    fused_until, fused_space = 0, True
    for line in _treebank_lines(treebank, part):
        line = line.rstrip("\r\n")
        if line.startswith("# newdoc") or (line.startswith("# sent_id") and not documents):
            documents.append([[]])
        if line.startswith("# newpar") and documents[-1][-1]:
            documents[-1].append([])
        if line.startswith("#"):
            continue
        if not line:
            if sentence:
                documents[-1][-1].append(sentence)
            sentence, fused_until = [], 0
            continue
        number, form, _lemma, upos, *_rest, misc = line.split("\t")
        space = "SpaceAfter=No" not in misc.split("|")
        if "-" in number:  # the surface form of several words: its last word carries its space
            fused_until, fused_space = int(number.partition("-")[2]), space
        elif "." not in number:  # not an empty node of the enhanced graph
            position = int(number)
            if position <= fused_until:
                space = fused_space and position == fused_until
            sentence.append(Word(form, upos, space))
    if sentence:
        documents[-1][-1].append(sentence)
    return documents


@dataclass(frozen=True)
class Layout:
    """A document as gold tokens, white space included, with the tag and the sentence start of each."""

    words: list[str]
    spaces: list[bool]
    tags: list[str]
    starts: list[bool]

    @property
    def text(self) -> str:
        return "".join(word + " " * space for word, space in zip(self.words, self.spaces, strict=True))

    def doc(self, nlp: Language) -> Doc:
        return Doc(nlp.vocab, words=self.words, spaces=self.spaces)


def lay_out(document: Document, paragraph_break: str = PARAGRAPH_BREAK) -> Layout:
    """The document with `paragraph_break` between paragraphs (a white-space token, or " " for a mere space)."""
    layout = Layout([], [], [], [])
    for number, paragraph in enumerate(document):
        if number and paragraph_break == " ":
            layout.spaces[-1] = True
        elif number:
            layout.spaces[-1] = False
            layout.words.append(paragraph_break)
            layout.spaces.append(False)
            layout.tags.append("SPACE")
            layout.starts.append(False)
        for sentence in paragraph:
            for position, word in enumerate(sentence):
                layout.words.append(word.text)
                layout.spaces.append(word.space)
                layout.tags.append(word.upos)
                layout.starts.append(position == 0)
    layout.spaces[-1] = False
    return layout


def _f1(right: int, predicted: int, gold: int) -> dict[str, float]:
    precision = right / predicted if predicted else 0.0
    recall = right / gold if gold else 0.0
    f1 = 2 * right / (predicted + gold) if predicted + gold else 0.0
    return {"precision": round(100 * precision, 2), "recall": round(100 * recall, 2), "f1": round(100 * f1, 2)}


def tag_accuracy(nlp: Language, layouts: Sequence[Layout]) -> float:
    """Percentage of gold words with the right tag."""
    right = total = 0
    for layout, doc in zip(layouts, nlp.pipe(layout.doc(nlp) for layout in layouts), strict=True):
        for gold, token in zip(layout.tags, doc, strict=True):
            if gold != "SPACE":
                total += 1
                right += token.pos_ == gold
    return 100 * right / total


def _gold_spans(layout: Layout) -> tuple[dict[tuple[int, int], str], set[tuple[int, int]]]:
    """Where the words (with their tags) and the sentences of the layout are in its text."""
    words: dict[tuple[int, int], str] = {}
    sentences: set[tuple[int, int]] = set()
    offset, start, end = 0, 0, 0
    for text, space, tag, first in zip(layout.words, layout.spaces, layout.tags, layout.starts, strict=True):
        if first:
            if end:
                sentences.add((start, end))
            start = offset
        if tag != "SPACE":
            end = offset + len(text)
            words[offset, end] = tag
        offset += len(text) + space
    sentences.add((start, end))
    return words, sentences


def _own_sentences(doc: Doc) -> set[tuple[int, int]]:
    spans = set()
    for sentence in doc.sents:
        tokens = [token for token in sentence if not token.is_space]
        if tokens:
            spans.add((tokens[0].idx, tokens[-1].idx + len(tokens[-1])))
    return spans


def sentence_scores(nlp: Language, layouts: Sequence[Layout], *, gold_tokens: bool) -> dict[str, float]:
    """Precision, recall and F1 of sentences, on the gold tokens or on the raw text."""
    right = predicted = gold = 0
    inputs: Iterable[Any] = (layout.doc(nlp) if gold_tokens else layout.text for layout in layouts)
    for layout, doc in zip(layouts, nlp.pipe(inputs), strict=True):
        expected, found = _gold_spans(layout)[1], _own_sentences(doc)
        right, predicted, gold = right + len(expected & found), predicted + len(found), gold + len(expected)
    return _f1(right, predicted, gold)


def own_token_scores(nlp: Language, layouts: Sequence[Layout]) -> tuple[dict[str, float], dict[str, float]]:
    """Precision, recall and F1 on the raw text: of words as such, and of words with the right tag."""
    same = right = predicted = gold = 0
    for layout, doc in zip(layouts, nlp.pipe(layout.text for layout in layouts), strict=True):
        expected = _gold_spans(layout)[0]
        own = [token for token in doc if not token.is_space]
        predicted, gold = predicted + len(own), gold + len(expected)
        for token in own:
            tag = expected.get((token.idx, token.idx + len(token)))
            same += tag is not None
            right += tag == token.pos_
    return _f1(same, predicted, gold), _f1(right, predicted, gold)


def folder_size(folder: Path) -> int:
    """Bytes of all files below the folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def read_texts(source: Path) -> list[str]:
    """All `.txt` files of a folder or of an archive, in the order of their paths."""
    if source.is_dir():
        return [path.read_text(encoding="utf-8", errors="replace") for path in sorted(source.rglob("*.txt"))]
    found: dict[str, str] = {}
    with tarfile.open(source) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() and member.name.endswith(".txt") else None
            if content is not None:
                found[member.name] = content.read().decode("utf-8", errors="replace")
    return [text for _name, text in sorted(found.items())]


def load(model: Path, *, blis: bool) -> tuple[Language, float]:
    """The model with or without BLIS, and the seconds it took; a warning on loading is an error."""
    with use_ops("numpy", use_blis=blis), warnings.catch_warnings():
        warnings.simplefilter("error")
        start = time.perf_counter()
        nlp = spacy.load(model)
        return nlp, time.perf_counter() - start


def speed(model: Path, texts: Sequence[str], *, blis: bool, words_per_round: int = 80_000) -> dict[str, float]:
    """Tokens each second: the first round (nothing cached), and the best and the median of all rounds.

    Each round has its own texts, so that no text is seen twice. Given for the time on the wall, and for the time that
    the processor worked for us: on a machine that others use too, only the latter tells about the model.
    """
    nlp, _seconds = load(model, blis=blis)
    nlp("A first sentence, not counted.")
    wall: list[float] = []
    processor: list[float] = []
    rest = iter(texts)
    for _round in range(ROUNDS):
        part: list[str] = []
        length = 0
        for text in rest:
            part.append(text)
            length += len(text.split())
            if length >= words_per_round:
                break
        if not part:
            break
        start, worked = time.perf_counter(), time.process_time()
        tokens = sum(len(doc) for doc in nlp.pipe(part, batch_size=BATCH_SIZE))
        processor.append(tokens / (time.process_time() - worked))
        wall.append(tokens / (time.perf_counter() - start))
    return {
        f"{clock}_{name}": round(value)
        for clock, rates in (("wall", wall), ("cpu", processor))
        for name, value in (("first", rates[0]), ("best", max(rates)), ("median", statistics.median(rates)))
    }


def quality(nlp: Language, documents: Sequence[Document]) -> dict[str, Any]:
    """The scores of tags and sentences."""
    layouts = [lay_out(document) for document in documents]
    flat = [lay_out(document, " ") for document in documents]
    single = [lay_out([[sentence]]) for document in documents for paragraph in document for sentence in paragraph]
    tokens, own = own_token_scores(nlp, layouts)
    return {
        "upos_gold_tokens": round(tag_accuracy(nlp, layouts), 2),
        "upos_gold_tokens_flat": round(tag_accuracy(nlp, flat), 2),
        "upos_gold_tokens_and_sentences": round(tag_accuracy(nlp, single), 2),
        "upos_own_tokens": own,
        "tokens": tokens,
        "sentences_raw": sentence_scores(nlp, layouts, gold_tokens=False),
        "sentences_raw_flat": sentence_scores(nlp, flat, gold_tokens=False),
        "sentences_gold_tokens": sentence_scores(nlp, layouts, gold_tokens=True),
    }


def evaluate(treebank: Path, model: Path, texts: Path | None = None, part: str = "test") -> dict[str, Any]:
    """Everything that is measured; without `texts`, speed is that on the raw text of the treebank's training part."""
    if texts is None:
        running = [lay_out(document).text for document in read_treebank(treebank, "train")]
    else:
        running = read_texts(texts)
    nlp, load_seconds = load(model, blis=False)
    return {
        "part": part,
        **quality(nlp, read_treebank(treebank, part)),
        "size_bytes": folder_size(model),
        "load_seconds": round(load_seconds, 3),
        "speed_text": texts.name if texts else "treebank",
        "tokens_per_second_without_blis": speed(model, running, blis=False),
        "tokens_per_second_with_blis": speed(model, running, blis=True),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure the embedded English model on UD English EWT.")
    parser.add_argument("treebank", type=Path, help="the treebank: a folder or a .tar.xz archive")
    parser.add_argument("model", type=Path, nargs="?", default=Path(__file__).resolve().parent / "english")
    parser.add_argument("--part", choices=("dev", "test"), default="test", help="part of the treebank (default: test)")
    parser.add_argument("--texts", type=Path, help="folder or archive with .txt files to measure speed on")
    parser.add_argument("--json", type=Path, dest="json_file", metavar="FILE", help="also write the scores there")
    options = parser.parse_args(arguments)
    with threadpool_limits(limits=1):
        scores = evaluate(options.treebank, options.model, options.texts, options.part)
    for name, value in scores.items():
        shown = "  ".join(f"{key} {number}" for key, number in value.items()) if isinstance(value, dict) else value
        sys.stdout.write(f"{name:32} {shown}\n")
    if options.json_file:
        options.json_file.write_text(json.dumps(scores, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
