"""Cuts that are proposed, and passages that must stay. All texts are made up for these tests."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia.corpus.cleaning import (
    _ATTRIBUTION,
    _FORWARDED,
    _ORIGINAL,
    Step,
    _header_blocks,
    maybe_mail,
    propose_cuts,
    quote_runs,
)
from forensia.corpus.document import Document

OWN = "I have read your draft twice.\nThe second part is much better now.\n"


def _left(text: str, *steps: Step) -> str:
    cuts = propose_cuts(text, steps or tuple(Step))
    return Document("a", "t", text, cuts=cuts).text


@pytest.mark.parametrize(
    "quoted",
    [
        "> Did you read it?\n> Tell me soon.\n",
        "> Did you read it?\n",
        ">> Did you?\n>\n> I did.\n",
        "On Mon, 3 May 2004 at 10:15, Jo Hill <jo@example.org> wrote:\n\n> Did you read it?\n> Tell me soon.\n",
        "On 12 May 2004, Jo Hill wrote:\n> Did you read it?\n> Tell me soon.\n",
        "On Mon, May 3, 2004 at 10:15 AM Jo Hill, of the long name\n<jo@example.org> wrote:\n\nDid you read it?\n",
        "Jo Hill <jo@example.org> wrote:\n> Did you read it?\n> Tell me soon.\n",
        "Am 03.05.2004 um 10:15 schrieb Jo Hill:\n> Hast du es gelesen?\n> Sag es mir.\n",
        "Le 3 mai 2004 à 10:15, Jo Hill a écrit :\n> Tu l’as lu ?\n> Dis-moi.\n",
        "El 3 may 2004, a las 10:15, Jo Hill escribió:\n> Lo has leído?\n> Dime.\n",
        "-----Original Message-----\nFrom: Jo Hill\nSent: Monday\nTo: Al\nSubject: draft\n\nDid you read it?\n",
        "-----Ursprüngliche Nachricht-----\nVon: Jo\n\nHast du es gelesen?\n",
        "________________________________\nFrom: Jo Hill\nSent: 3 May 2004\nTo: Al\nSubject: draft\n\nDid you read it?\n",
        "From: Jo Hill [mailto:jo@example.org]\nSent: 3 May 2004\nTo: Al; Bo;\n Cy; Di\nCc: Ed\nSubject: draft\n\nDid you?\n",
        "*From:* Jo Hill\n*Sent:* 3 May 2004\n*To:* Al\n*Subject:* draft\n\nDid you read it?\n",
        "Von: Jo Hill\nGesendet: Montag\nAn: Al\nBetreff: Entwurf\n\nHast du es gelesen?\n",
        "Jo Hill\n05/03/2004 10:15 AM\nTo: Al Moss\ncc: Bo\nSubject: draft\n\nDid you read it?\n",
        "> This is a quoted line that was long enough for the program to break\nit.\n> And one more.\n",
    ],
)
def test_quoted_replies(quoted: str) -> None:
    text = f"{OWN}\n{quoted}"
    assert _left(text, Step.QUOTED_REPLIES).strip() == OWN.strip()
    assert {cut.reason for cut in propose_cuts(text, Step)} == {Step.QUOTED_REPLIES.value}


def test_answers_between_quotations_stay() -> None:
    text = "> Will you come?\n> I hope so.\n\nYes, on Friday.\n\n> Alone?\n> Or with Bo?\n\nWith Bo.\n"
    assert _left(text, Step.QUOTED_REPLIES).split() == "Yes, on Friday. With Bo.".split()


@pytest.mark.parametrize(
    "forward",
    [
        "Begin forwarded message:\n\nFrom: Jo\nSubject: draft\nDate: today\nTo: Al\n\nDid you read it?\n",
        "---------- Forwarded message ---------\nFrom: Jo Hill <jo@example.org>\nDate: Mon\nSubject: draft\nTo: Al\n\nDid you?\n",
        "---------------------- Forwarded by Jo Hill/LON on 05/03/2004 10:15 AM ------------------\n\nAl Moss\nTo: Jo\n\nDid you?",
        "-----Weitergeleitete Nachricht-----\nVon: Jo\n\nHast du es gelesen?",
    ],
)
def test_forwarded_mail(forward: str) -> None:
    text = f"{OWN}\n{forward}"
    assert _left(text, Step.FORWARDED).strip() == OWN.strip()
    assert {cut.reason for cut in propose_cuts(text, Step)} == {Step.FORWARDED.value}
    assert _left(forward, Step.FORWARDED) == ""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{OWN}-- \nJo Hill\nHead of Mills. Never at home, always at work, as they say.\n", OWN),
        (f"{OWN}--\nJo Hill\n+44 20 7946 0000\n", OWN),
        (f"{OWN}Best regards,\nJo Hill\nHead of Mills\nTel. 020 7946 0000\njo@example.org\n", f"{OWN}Best regards,\n"),
        (f"{OWN}Thanks\n\nJo\n", f"{OWN}Thanks\n"),
        (f"{OWN}Mit freundlichen Grüßen\nJo Hill\n", f"{OWN}Mit freundlichen Grüßen\n"),
        (f"{OWN}\nSent from my iPhone\n", f"{OWN}\n"),
        (
            f"{OWN}Cheers,\nJo\n\n-----Original Message-----\nHello\n",
            f"{OWN}Cheers,\n-----Original Message-----\nHello\n",
        ),
    ],
)
def test_signatures(text: str, left: str) -> None:
    assert _left(text, Step.SIGNATURES) == left


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ("From: jo@example.org\nTo: al@example.org\nSubject: draft\n\n", OWN),
        ("From jo@example.org Mon May 3\nReceived: from a\n\tby b\nMessage-ID: <1@a>\nX-Mailer: none\n\n", OWN),
        ("TO: All staff\nFROM: Jo\nDATE: 3 May\nSUBJECT: Mills\n\n", OWN),
    ],
)
def test_mail_headers(headers: str, body: str) -> None:
    assert _left(headers + body, Step.MAIL_HEADERS) == body
    assert _left(headers + body) == body


def test_licence_around_a_book() -> None:
    book = "CHAPTER I.\n\nIt was a dull morning.\n"
    text = (
        "The Project Gutenberg eBook of Mills, by Jo Hill\n\nYou may copy it.\n\n"
        "*** START OF THE PROJECT GUTENBERG EBOOK MILLS ***\n\nProduced by Al Moss and Bo Dunn\n\n\n"
        f"{book}\n\n*** END OF THE PROJECT GUTENBERG EBOOK MILLS ***\n\nUpdated editions will replace the previous one.\n"
    )
    assert _left(text, Step.BOILERPLATE).strip() == book.strip()
    older = f"Jo Hill’s Mills\n*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\n{book}End of Project Gutenberg's Mills\n"
    assert _left(older, Step.BOILERPLATE) == book


@pytest.mark.parametrize(
    "notice",
    [
        "This e-mail and any attachments are confidential and intended for the addressee.\nIf it reached you in error, delete it.\n",
        "**********\nCONFIDENTIALITY NOTICE: privileged, for the recipient only;\nunauthorized use is not allowed.\n**********\n",
        "Diese E-Mail ist vertraulich. Sind Sie nicht der Empfänger oder haben Sie sie irrtümlich erhalten, löschen Sie sie.\n",
        "© 2004 Mill Press\n",
        "Copyright (c) 1999 Jo Hill. All rights reserved.\n",
    ],
)
def test_notices(notice: str) -> None:
    assert _left(f"{OWN}\n{notice}", Step.BOILERPLATE).strip() == OWN.strip()


def test_block_quotations() -> None:
    quotation = "    The mill stood still and the river ran\n    past the wheel as rivers can.\n"
    text = f"{OWN}\n{quotation}\n{OWN}\n> A marked passage of some words,\n> in two lines.\n"
    left = _left(text, Step.BLOCK_QUOTATIONS)
    assert left.split() == (OWN + OWN).split()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("The com-\npany was large.", "The company was large."),
        ("The com- \n   pany was large.", "The company was large."),
        ("a well-\nknown fact, as well-known as any", "a well-known fact, as well-known as any"),
        ("one soft\u00ad\nware", "one software"),
        ("grö-\nßer", "größer"),
        ("the two-\nand three-year-old", "the two-\nand three-year-old"),
        ("the Anglo-\nSaxon", "the Anglo-\nSaxon"),
        ("wait -\nhe said", "wait -\nhe said"),
        ("wait--\nhe said", "wait--\nhe said"),
        ("1914-\n18", "1914-\n18"),
        ("a list:\n- one\n- two", "a list:\n- one\n- two"),
    ],
)
def test_hyphens_at_line_ends(text: str, left: str) -> None:
    assert _left(text, Step.LINE_END_HYPHENS) == left


@pytest.mark.parametrize(
    "text",
    [
        # A novel that quotes a letter, dialogue, verse, arithmetic, a play, minutes, an interview.
        "On the third of May he wrote:\n\nMy dear Jo, the mill is sold. Come at once.\n\nShe read it twice.\n",
        "On 3 May 1814 she wrote:\n“The mill is sold.”\nNothing more.\n",
        "He turned the page. From: that was all it said, and below it the subject:\nmills, and nothing but mills.\n",
        "-- What did he say?\n-- Nothing, said Jo.\n-- Then why did you come here in the middle of the night?\n",
        "It was late.\n\n--\n\nThe next day they met at the mill, and nobody said a word about it to her.\nIt rained.\n",
        "She had but one word left to give,\n\nLove,\n\nand gave it as the mill stood still and\nthe water went its way below.\n",
        "The result held for x\n> 5 and nowhere else, and for\n< 3 too.\n",
        "JO. Who wrote:\nthe mill is sold?\nAL. I did.\n",
        "Q: Who sold it?\nA: I did.\nQ: When?\nA: In May.\n",
        "To: the mill. From there on the road was bad.\nWe had forwarded the message by hand; the original message was lost.\n",
        "The notice on the mill said that the information was confidential.\nNobody had told the recipient.\n",
        "The message was confidential, but the attachment was not intended for the recipient, he said. He had no wish to delete it.\n",
        "Best of all was the mill.\nThanks to Jo it was still there, and so was the river,\nand the wheel that turned for all of us.\n",
        "    First line of a paragraph that is indented,\nthen it goes on.\n    Second paragraph, one more indent,\nand on it goes.\n",
        "Sent from my father to the mill, I walked all day through the rain and came too late to be of use.\n" * 3,
        "Copyright law of 1911 was his subject, and he knew it well.\nHe taught it for years.\n",
    ],
)  # fmt: skip
def test_prose_stays(text: str) -> None:
    assert propose_cuts(text, Step) == ()


def test_first_step_has_the_passage_that_two_want() -> None:
    text = f"{OWN}\n> One line of a quotation here,\n> and its second line.\n"
    assert [cut.reason for cut in propose_cuts(text, Step)] == [Step.QUOTED_REPLIES.value]
    assert [cut.reason for cut in propose_cuts(text, [Step.BLOCK_QUOTATIONS])] == [Step.BLOCK_QUOTATIONS.value]


def test_no_step_no_cut() -> None:
    assert propose_cuts(f"{OWN}\n-----Original Message-----\nx", ()) == ()


_LINES = st.lists(
    st.sampled_from(
        [
            "> quoted words here", ">", "> 5", "On 3 May 2004 at 10:15 Jo wrote:", "-----Original Message-----", "-- ", "--",
            "From: Jo", "To: Al", "Sent: now", "Subject: mills", "________________", "Begin forwarded message:", "Thanks,",
            "Jo Hill", "", "", "Some plain words of prose.", "    indented words are here to be seen", "    and again some more words",
            "hyphen-", "ated words", "*** START OF THE PROJECT GUTENBERG EBOOK X ***", "*** END OF THE PROJECT GUTENBERG EBOOK X ***",
            "This e-mail is confidential, privileged and intended for the recipient.", "All rights reserved.", "Sent from my phone",
        ]
    )
).map("\n".join)  # fmt: skip


@settings(max_examples=300)
@given(_LINES | st.text(), st.sets(st.sampled_from(list(Step))))
def test_cuts_are_sorted_disjoint_and_within_the_text(text: str, steps: set[Step]) -> None:
    cuts = propose_cuts(text, steps)
    position = 0
    for cut in cuts:
        assert position <= cut.start < cut.end <= len(text)
        position = cut.end
    assert {cut.reason for cut in cuts} <= {step.value for step in steps}
    assert cuts == propose_cuts(text, sorted(steps, key=lambda step: step.name)), (
        "the order of the steps does not matter"
    )


@given(_LINES)
def test_quick_look_misses_nothing(text: str) -> None:
    if not maybe_mail(text):
        assert not any(pattern.search(text) for pattern in (_ATTRIBUTION, _ORIGINAL, _FORWARDED))
        assert not list(quote_runs(text))
        assert all(start == len(text) - len(text.lstrip()) for start, _ in _header_blocks(text))


@pytest.mark.parametrize(
    "unit",
    [
        "a", " ", "\n", ">", "> ", "> a\n", ".", "-", "- ", "-\n", "a-\na", "On ", "On\n", "On a wrote:\n", "@ wrote", "Subject:\n",
        "To: a\nSubject: b\n", "From: a\n", "--\n", "Thanks,\n", "    a b\n\n", "\t\n", "_____\n", "*** START PROJECT GUTENBERG\n",
        "all rights reserved ", "this e-mail confidential intended recipient ", "confidential\n\n", "----- Forwarded ", "On a b c d @ ",
    ],
)  # fmt: skip
def test_time_grows_with_the_length_and_not_faster(unit: str) -> None:
    """Much of any one pattern must not take more than a moment: the texts are untrusted, and squared it would be minutes."""
    text = unit * (150_000 // len(unit))
    started = time.process_time()
    propose_cuts(text, Step)
    assert time.process_time() - started < 20
