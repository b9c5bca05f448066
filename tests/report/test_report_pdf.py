"""The report as a reader gets it: its parts, its words, its numbers, its margins."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pypdf import PdfReader

from forensia import codec
from forensia.evidence.calibration import Bounds
from forensia.evidence.result import (
    FUSED,
    LAZY,
    STACKED,
    Alternative,
    Candidate,
    LikelihoodRatio,
    Opinion,
    Reason,
    Result,
)
from forensia.features import FAMILIES
from forensia.report import make
from forensia.report.contents import Contents, as_json, canonical
from forensia.report.make import Made, draw
from forensia.report.sections import interval, method, results, short_ratio, validation
from forensia.wording import limits, opinion
from forensia.wording.numbers import Printer
from forensia.wording.ratios import CONFORMAL_CAPTION, RANKING_CAPTION, forbidden_in
from support.pdf import pages_of
from tests.report.conftest import DATE, DETAILS, Printed
from tests.report.reading import assert_margins, assert_no_lonely_heading, flat, numbers, pictures, strange_numbers

SECTIONS = (
    "1 Summary", "2 Instructions and facts supplied", "3 Materials", "4 Pre-processing and what was found", "5 Method",
    "6 Propositions and relevant population", "7 Validation for this case", "8 Results", "9 Sensitivity", "10 Limits",
    "11 Conclusion", "A Parameters", "B Versions and hashes", "C Audit log", "D Glossary",
    "E All numbers, and how to verify this report",
)  # fmt: skip


def quoted(found: Contents, texts: Mapping[str, str]) -> list[str]:
    """What a report quotes and does not say itself: names, passages, texts."""
    scores = [score for document in found.documents if document.explained for score in document.explained.scores]
    features = [feature for each in scores for feature in (*each.favourable, *each.adverse)]
    passages = [
        part
        for feature in features
        for each in (*feature.quoted, *(place for known in feature.known for place in known.quoted))
        for part in (each.before, each.there, each.after)
    ]
    lines = [line for text in texts.values() for line in text.splitlines()]
    brief = [each.feature for each in features] + passages
    # A feature such as 'not' must stay in our own sentences: of what is short, only what is forbidden itself is taken out.
    kept = [each for each in brief if len(each) > 20 or forbidden_in(each)]
    return [*(text.file for text in found.materials.known), *kept, *lines]


def given(found: Contents) -> Contents:
    """The same findings as if an opinion had been given on the first text, and there were no other."""
    first = found.documents[0]
    ratio = LikelihoodRatio(1.6, (1.1, 2.2), Alternative.UNLISTED, Bounds(-3.0, 3.0, 40, 360))
    candidates = tuple(
        replace(each, headline=ratio) if each.author == "Freya Lund" else each for each in first.result.candidates
    )
    result = replace(first.result, candidates=candidates, opinion=Opinion("author", "Freya Lund", family_p=0.01))
    return replace(found, documents=(replace(first, result=result),)).finished()


# --- parts ------------------------------------------------------------------------------------------------------------


def test_the_parts_stand_in_the_outline_and_in_the_contents(printed: Printed) -> None:
    reader = PdfReader(io.BytesIO(printed.made.pdf))
    top = [item for item in reader.outline if not isinstance(item, list)]
    assert tuple(item.title for item in top) == SECTIONS
    listed = flat(printed.pages[2])
    assert listed.index("Contents") < listed.index(SECTIONS[0]) < listed.index(SECTIONS[-1])
    links = [
        annotation
        for annotation in reader.pages[2].get("/Annots", [])
        if annotation.get_object()["/Subtype"] == "/Link"
    ]
    assert len(links) >= len(SECTIONS)
    for item in top[1:]:
        page = reader.get_destination_page_number(item)
        assert re.search(rf"{re.escape(item.title)} ?\.* ?{page + 1}\b", listed), item.title
        assert item.title in flat(printed.pages[page])


def test_every_page_has_its_head_and_its_number(printed: Printed) -> None:
    count = len(printed.pages)
    assert count == printed.made.pages
    for number, page in enumerate(printed.pages, start=1):
        assert f"Page {number} of {count}" in page
        assert f"report {printed.contents.id}" in page
        if number > 1:
            assert page.startswith("Case 2026/114") and "DRAFT" in page.splitlines()[0]


def test_the_cover_says_who_and_when_and_that_it_is_a_draft(printed: Printed) -> None:
    cover = flat(printed.pages[0])
    for words in (
        "DRAFT",
        "2026/114",
        "Harwick and Lowe",
        "Dr A. Example",
        "Dr B. Sample",
        "JH/1 (anonymous-1.txt)",
        "2026-11-16",
    ):
        assert words in cover, words
    assert "for the court to judge" in cover


def test_the_cover_is_one_page_however_much_is_told(printed: Printed) -> None:
    long = "Every word of this, {and} 100% more. " * 40
    told = ("case_number", "title", "client", "analyst", "qualifications", "reviewer", "received")
    details = replace(printed.contents.details, **dict.fromkeys(told, long), exhibits=())
    first = printed.contents.materials.disputed[0]
    disputed = tuple(replace(first, file=f"{number} {long}.txt") for number in range(9))
    materials = replace(printed.contents.materials, disputed=disputed)
    made = draw(replace(printed.contents, paper="Letter", details=details, materials=materials))
    cover, second = pages_of(made.pdf)[:2]
    assert "for the court to judge" in flat(cover) and "Summary" in second


def test_the_summary_is_one_page_with_everything(printed: Printed) -> None:
    summary = flat(printed.pages[1])
    assert summary.count("1 Summary") == 1 and "Contents" not in summary
    for words in (
        "The question",
        "The answer",
        "How far this can be trusted",
        "Main limits",
        "LR on a scale",
        DETAILS.question,
    ):
        assert words in summary, words
    assert RANKING_CAPTION in summary


def test_it_is_a_tagged_archive_file_with_all_fonts(printed: Printed) -> None:
    reader = PdfReader(io.BytesIO(printed.made.pdf))
    meta = reader.trailer["/Root"]["/Metadata"].get_object().get_data().decode()
    assert "<pdfaid:part>3</pdfaid:part>" in meta and "<pdfaid:conformance>U</pdfaid:conformance>" in meta
    assert reader.trailer["/Root"]["/OutputIntents"]
    fonts = {
        str(font.get_object()["/BaseFont"]): font.get_object()
        for page in reader.pages
        for font in page["/Resources"]["/Font"].values()
    }
    assert fonts
    for font in fonts.values():
        assert "/FontFile2" in font["/DescendantFonts"][0].get_object()["/FontDescriptor"]
        assert "/ToUnicode" in font


def test_figures_are_drawn_and_have_words_for_those_who_cannot_see_them(printed: Printed) -> None:
    reader = PdfReader(io.BytesIO(printed.made.pdf))
    elements = [each.get_object() for each in reader.trailer["/Root"]["/StructTreeRoot"]["/K"][0].get_object()["/K"]]
    words = [str(each["/Alt"]) for each in elements if "/Alt" in each]
    figures = len(re.findall(r"Figure \d+\. ", printed.text))
    assert len(words) >= figures >= 8
    assert any("Tippett" in each for each in words) and any("Pr(Same)" in each for each in words)
    assert not any(
        "/XObject" in page["/Resources"] and "/Image" in str(page["/Resources"]["/XObject"]) for page in reader.pages
    )


# --- words ------------------------------------------------------------------------------------------------------------


def test_nothing_forbidden_is_said(printed: Printed, small_case: Path) -> None:
    from forensia.case.store import Case

    with Case.open(small_case, read_only=True) as case:
        texts = {each.id: case.documents.get(each.id).text for each in case.documents.disputed()}
    found = printed.contents
    prose = [page for page in printed.pages if "The text with its strongest features marked" not in flat(page)]
    assert forbidden_in("\n".join(prose), quoted(found, texts)) == []
    assert forbidden_in(" ".join(f"{limits.title(each)}. {limits.text(each)}" for each in found.limits)) == []


def test_what_must_be_said_is_said(printed: Printed) -> None:
    text = flat(printed.text)
    for document in printed.contents.documents:
        findings = opinion.findings(document.result)
        assert text.count(flat(opinion.statement(document.result))) >= 2
        assert all(flat(reason) in text for reason in opinion.reasons(document.result))
        assert findings is not None and flat(findings.statement) in text
    for limit in printed.contents.limits:
        assert flat(f"{limits.title(limit)}. {limits.text(limit)}") in text
    for words in (
        RANKING_CAPTION,
        CONFORMAL_CAPTION,
        "Not the probability that anybody is the author",
        "forensia verify REPORT.pdf",
    ):
        assert words in text, words
    assert "SHA-256" in text and printed.contents.case.log.head in text.replace(" ", "")


def test_every_candidate_and_every_file_is_in_it(printed: Printed) -> None:
    text = flat(printed.text)
    together = text.replace(" ", "")
    materials = printed.contents.materials
    for each in materials.known:
        assert each.file in text and each.sha256 in together
    for each in materials.disputed:
        assert each.sha256 in together
    for page in printed.pages:
        if "candidates (" in flat(page):
            listed = flat(page[page.index("candidates (") :])
            for author in materials.authors:
                assert author.author in listed


def test_every_candidate_has_both_likelihood_ratios_with_intervals(printed: Printed) -> None:
    say, text = Printer(), flat(printed.text)
    for document in printed.contents.documents:
        for each in document.result.candidates:
            assert each.listed is not None and each.unlisted is not None
            both = " ".join(
                show(say, ratio) for ratio in (each.listed, each.unlisted) for show in (short_ratio, interval)
            )
            assert flat(f"{each.author} {both}") in text
    said = "Their LRs against each alternative; the lower of the two is the LR above."
    assert text.count(said) == len(printed.contents.documents)


def test_an_opinion_is_stated_with_its_likelihood_ratio(printed: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make, "BODY", ())
    text = flat("\n".join(pages_of(draw(given(printed.contents)).pdf)))
    assert "The findings are about 40 (95 % interval 13 to 160) times more probable if Freya Lund wrote" in text
    assert "moderate support for the proposition that Freya Lund wrote the disputed text" in text
    assert "No opinion" not in text


def test_it_says_in_how_many_parts_the_known_texts_were_tried(
    printed: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "made anew without the texts that were tried, in five parts." in flat(printed.text)  # a quick validation
    assert printed.contents.validation is not None
    monkeypatch.setattr(make, "BODY", (validation.validation,))
    whole = replace(printed.contents, validation=replace(printed.contents.validation, quick=False))
    assert "made anew without the texts that were tried, in ten parts." in flat("\n".join(pages_of(draw(whole).pdf)))


OLD = ("eaker", "seed", "cohort", "other models", "three sources", "of the Lazy score", "once leaving out")


def test_it_says_how_the_answer_came_about(printed: Printed) -> None:
    """By this engine: what an older one did is not said."""
    validation = printed.contents.validation
    assert validation is not None and validation.weights
    prose = flat("\n".join(page for page in printed.pages if "C Audit log" not in page))
    for words in (
        "of the fused ranking: against another listed author the odds that it gives",
        "The lower of the two is the one that is reported",
        "gives the lower LR",
        "Fused, Lazy AA and Stacked AA: rank, and in brackets the score",
        "one source of every author was left out at a time",
        "each family of features is left out, all families that know the words of a topic are",
        "fusion and calibration are learnt anew",
        "By the fused ranking, for whole known texts",
        f"put their author first, by the fused ranking: {round(40 * validation.headline.accuracy)} of 40 (",
    ):
        assert words in prose, words
    (method,) = (page for page in printed.pages if "What is counted" in flat(page) and "Master seed" not in flat(page))
    for family, weight in validation.weights.items():
        shown = next(each.words for each in printed.made.printed if each.value == weight)
        assert re.search(rf"{family} .{{10,90}} {re.escape(shown)}", flat(method)), family
    said = prose.replace("Master seed", "")
    for document in printed.contents.documents:
        said = said.replace(flat(printed.contents.texts.get(document.id, "")), "")
    assert [words for words in OLD if words in said] == []


def test_without_a_validation_it_describes_no_other_method(printed: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither for a case that is not validated yet nor for the paper's profile."""
    monkeypatch.setattr(
        make,
        "BODY",
        (method.method, method.propositions, validation.validation, results.results, results.sensitivity),
    )
    documents = tuple(
        replace(each, explained=None, result=unvalidated(each.result)) for each in printed.contents.documents
    )
    found = replace(printed.contents, validation=None, curves=None, documents=documents)
    paper = replace(found.model, profile="paper", families=FAMILIES, pairs=replace(found.model.pairs, factors={}))
    for contents, ratio in (
        (found.finished(), "none: the model has no validation"),
        (replace(found, model=paper).finished(), "none: the protocol of the paper has no calibration"),
    ):
        text = flat("\n".join(pages_of(draw(contents).pdf)))
        for words in (
            ratio,
            "Without a validation no likelihood ratio is calculated",
            "Lazy AA and Stacked AA: rank, and in brackets the score",
            "Not tried: it needs a validation.",
            "The model of this case was not validated",
        ):
            assert words in text, words
        for words in (
            "the fused ranking", "Fused", "A score is not evidence by itself", "is changed, one thing at a time", "LR: how many",
            "stand for 'somebody who is not in the corpus'", "masked tokens", "The lower of the two", *OLD,
        ):  # fmt: skip
            assert words not in text, words


def unvalidated(result: Result) -> Result:
    """The same text as a case without a validation finds it."""
    candidates = tuple(
        Candidate(each.author, each.texts, each.reach, {name: each.systems[name] for name in (LAZY, STACKED)})
        for each in result.ranked(LAZY)
    )
    said = Opinion("none given", candidates[0].author, (Reason("not-validated"),))
    return replace(result, condition=None, candidates=candidates, opinion=said, warnings=(), sensitivity=None)


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_the_numbers_are_embedded(printed: Printed) -> None:
    reader = PdfReader(io.BytesIO(printed.made.pdf))
    assert list(reader.attachments) == ["results.json"]
    (content,) = reader.attachments["results.json"]
    assert content == canonical(as_json(printed.contents))
    assert json.loads(content)["id"] == printed.contents.id


def test_every_number_printed_is_one_of_the_json(printed: Printed) -> None:
    known = set(numbers(json.loads(canonical(as_json(printed.contents)))))
    strange = {each for each in printed.made.printed if float(each.value) not in known}
    assert len(printed.made.printed) > 500
    assert not strange


def test_no_number_in_the_text_comes_from_anywhere_else(printed: Printed) -> None:
    assert strange_numbers(printed.made, printed.pages) == []


# --- pages ------------------------------------------------------------------------------------------------------------


def test_nothing_leaves_the_type_area(printed: Printed, tmp_path: Path) -> None:
    assert_margins(pictures(printed.made.pdf, tmp_path), "A4")


def test_no_heading_is_alone_at_the_foot_of_a_page(printed: Printed) -> None:
    assert_no_lonely_heading(printed.made.pdf, printed.pages)


def test_qpdf_finds_nothing_wrong(printed: Printed) -> None:
    if shutil.which("qpdf") is None:
        pytest.skip("qpdf is not installed")
    done = subprocess.run(["qpdf", "--check", printed.pdf], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_same_case_and_date_give_the_same_bytes(printed: Printed) -> None:
    """Through the command line this time; making a report is noted in the case, and changes no other report."""
    from forensia import cli

    again = printed.pdf.with_name("again.pdf")
    assert cli.run(["report", str(printed.case), "-o", str(again), "--date", DATE.isoformat()]) == 0
    assert again.read_bytes() == printed.made.pdf


# --- other cases ------------------------------------------------------------------------------------------------------

HOSTILE = (
    "<img src=file:///etc/passwd>", "**bold** __x__ [link](http://example.org)", "$\\undefined$ {nb} {{x}}", "_smith & <b>Sons</b>",
    "שלום עליכם", "محمد بن عبد الله", "x" * 500, "A\u202eB\u200bC\x07D \U0001f9ff 漢", "=HYPERLINK(1)", "../../CON",
)  # fmt: skip


def renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [renamed(each, names) for each in value]
    if isinstance(value, str):
        for old, new in names.items():
            value = value.replace(old, new)
    return value


def test_hostile_names_are_literal_and_break_nothing_on_letter_paper(printed: Printed, tmp_path: Path) -> None:
    authors = [each.author for each in printed.contents.materials.authors]
    names = dict(zip(authors, HOSTILE, strict=True)) | {"anonymous-1.txt": f"{HOSTILE[1]}.txt"}
    found = codec.typed(Contents, renamed(as_json(printed.contents), names))
    details = replace(
        found.details,
        case_number=HOSTILE[0],
        title=HOSTILE[6],
        analyst=HOSTILE[2],
        question=f"{HOSTILE[1]} {HOSTILE[6]}",
    )
    made = draw(replace(found, paper="Letter", status="FINAL", details=details))
    pages = pages_of(made.pdf)
    text = flat("\n".join(pages))
    for name in (HOSTILE[0], HOSTILE[1], HOSTILE[2], HOSTILE[3], HOSTILE[8], HOSTILE[9]):
        assert name in text, name
    assert (
        "⟨U+202E⟩" in text and "⟨U+200B⟩" in text and "⟨U+0007⟩" in text and "⟨U+1F9FF⟩" in text and "⟨U+6F22⟩" in text
    )
    assert "xxxx…xxxx" in text or "x" * 60 in text
    assert any("\u0590" <= letter <= "\u05ff" for letter in text) and any(
        "\u0600" <= letter <= "\u06ff" for letter in text
    )
    assert all("FINAL" in page for page in pages)
    reader = PdfReader(io.BytesIO(made.pdf))
    assert float(reader.pages[0].mediabox.width) == 612 and float(reader.pages[0].mediabox.height) == 792
    assert not [
        each for page in reader.pages for each in page.get("/Annots", []) if "/A" in each.get_object()
    ]  # no link leads out
    assert_margins(pictures(made.pdf, tmp_path), "Letter")


def test_a_case_without_validation_gives_a_report_without_an_opinion(
    own_case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through `analyse --pdf`, which reports on the texts that it was given and no others."""
    from forensia import cli
    from forensia.case.store import Case
    from forensia.paths import sample_case
    from forensia.report import pdfpages
    from forensia.report.embedded import read_embedded

    monkeypatch.setattr(pdfpages.ReportPages, "image", lambda *_: None)
    with Case.open(own_case) as case:
        for kind in ("fused", "validation", "baselines"):
            case.models.remove(kind)
    target = tmp_path / "r.pdf"
    assert (
        cli.run(["analyse", str(own_case), str(sample_case() / "disputed/anonymous-3.txt"), "--pdf", str(target)]) == 0
    )
    embedded = read_embedded(target)
    with Case.open(own_case, read_only=True) as case:
        assert [report.sha256 for report in case.results.reports()] == [embedded.sha256]
    text = flat("\n".join(pages_of(target.read_bytes())))
    found = embedded.found
    assert "No opinion. The case has not been validated yet" in text
    assert "was not validated" in text and "No validation." in text
    assert isinstance(found, Contents) and found.validation is None
    assert all(each.headline is None for document in found.documents for each in document.result.candidates)
    assert forbidden_in(text, quoted(found, {})) == []


def test_the_features_are_those_that_an_explanation_finds(printed: Printed, small_case: Path) -> None:
    """The report looks for passages; what it says of features is what anybody gets who asks for an explanation."""
    from forensia.case.session import Session
    from forensia.case.store import Case

    with Case.open(small_case, read_only=True) as case:
        session = Session.of(case)
        for document in printed.contents.documents:
            told_of, result = document.explained, document.result
            assert document.strongest is None and told_of is not None and told_of.author == result.opinion.about
            authors = session.judge.model.authors
            parts = session.parts(case.documents.get(document.id), case.models.analyses())
            words = session.language.function_words
            found = session.judge.explain(parts, result.words, authors.index(told_of.author), words)
            scores = {each.author: each.systems[FUSED].score for each in result.candidates}
            own = scores.pop(told_of.author)
            assert [each.against for each in told_of.scores] == [max(scores, key=lambda author: scores[author]), ""]
            expected = (own - max(scores.values()), own - np.mean(list(scores.values())))
            for ours, theirs, score in zip(told_of.scores, found, expected, strict=True):
                assert ours.score == theirs.score == pytest.approx(score, rel=1e-9)
                assert (ours.baseline, ours.families) == (theirs.baseline, theirs.families)
                for one, other in zip((ours.favourable, ours.adverse), theirs.strongest(), strict=True):
                    assert [(each.column, each.relative) for each in one] == [
                        (each.column, each.relative) for each in theirs.features(other)
                    ]


def test_the_lines_of_features_add_up_to_the_total(printed: Printed) -> None:
    """As they are printed, but for the rounding of each line."""
    tables = re.findall(
        r"The strongest features for .*?Feature(.*?)All other features (\S+)\s+Baseline (\S+)\s+Total (\S+)", printed.text, re.S
    )  # fmt: skip
    assert len(tables) == 2 * len(printed.contents.documents)
    for rows, *ends in tables:
        lines = re.findall(r"(?:for|against) [\d,]+ [\d,]+ of [\d,]+ [\d,]+ of [\d,]+ (\S+)$", rows, re.M)
        assert 10 <= len(lines) <= 20
        *parts, total = (float(each.replace("−", "-")) for each in (*lines, *ends))
        assert sum(parts) == pytest.approx(total, abs=0.005 * len(parts) + 0.006)
    for document in printed.contents.documents:
        assert document.explained is not None
        for score in document.explained.scores:
            listed = sum(each.relative for each in (*score.favourable, *score.adverse))
            assert score.baseline + listed + score.rest == pytest.approx(score.score, rel=1e-9)
            assert score.baseline + sum(each.relative for each in score.families) == pytest.approx(
                score.score, rel=1e-9
            )


def test_made_is_what_it_says(printed: Printed) -> None:
    made: Made = printed.made
    assert made.sha256 and made.pdf == printed.pdf.read_bytes()
    assert printed.pdf.stat().st_mode & 0o077 == 0
