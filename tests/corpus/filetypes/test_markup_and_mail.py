"""HTML, XML, mail and PDF: what is the text and what is not."""

from __future__ import annotations

from types import ModuleType

import pytest

from forensia.corpus.filetypes import Extraction, Limits, Refusal, extract
from forensia.corpus.filetypes.mail import unflowed
from forensia.wording import problems
from forensia.wording.problems import worded


def codes(extraction: Extraction) -> dict[str, str]:
    return {note.code: problems.message(note) for note in extraction.notes}


class TestHtml:
    def text(self, markup: str) -> str:
        return extract(markup.encode(), "a.html").parts[0].text

    def test_a_whole_page(self, samples: ModuleType) -> None:
        found = extract(samples.HTML, "a.html")
        (part,) = found.parts
        assert part.text == samples.HTML_TEXT
        assert (part.title, part.author, part.encoding) == ("A letter", "Jane Roe", "utf-8")
        assert {"hidden-text", "invisible-elements", "remote-content"} <= set(codes(found))

    @pytest.mark.parametrize(
        ("markup", "text"),
        [
            ("<p>a<p>b", "a\n\nb"),
            ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
            ("a  b\n\tc", "a b c"),
            ("wo<b>r</b>d and <i>one</i> <b>two</b>", "word and one two"),
            ("a<script>x</script>b<style>y</style>c", "abc"),
            ("a<script>if (1 < 2) '</p>'</script>b", "ab"),
            ("<p hidden>a<p>b", "b"),
            ("<div style='DISPLAY : none'><p>a</div>b", "b"),
            ("<div hidden><br><img src=x>a</div>b", "b"),
            ("<ul><li hidden>a<li>b</ul>c", "b\n\nc"),
            ("<table><tr><td>a<td>b<tr><td>c</table>", "a\n\nb\n\nc"),
            ("a<br>b<br/>c", "a\nb\nc"),
            ("&lt;b&gt; &amp;amp; &#x2014; &nosuch;", "<b> &amp; — &nosuch;"),
            ("a</p>b", "a\n\nb"),
            ("a</nosuch>b", "ab"),
            ("a<!-- <p>no</p> -->b", "ab"),
            ("a<svg><title>no</title><text>no</text></svg>b", "ab"),
            ("a\0b", "a\ufffdb"),
            ("<?xml version='1.0'?><html><script src='x'/><p>seen</p></html>", "seen"),
        ],
    )
    def test_text(self, markup: str, text: str) -> None:
        assert self.text(markup) == text

    @pytest.mark.parametrize(
        ("data", "text", "encoding", "noted"),
        [
            ("<meta charset=windows-1251><p>При".encode("cp1251"), "При", "cp1251", False),
            ("<meta http-equiv='Content-Type' content='text/html; charset=utf-8'><p>é".encode(), "é", "utf-8", False),
            ("<p>é".encode(), "é", "utf-8", False),
            (b"<p>\x93Yes\x94", "“Yes”", "cp1252", True),
            (b"<meta charset=iso-8859-1><p>\x93Yes\x94", "“Yes”", "cp1252", True),
            (b"<meta charset=iso-8859-1><p>\xe9", "é", "iso8859-1", False),
            (b"<meta charset=utf-8><p>\xe9", "é", "cp1252", True),
            (b"<meta charset=nonsense><p>\xc3\xa9", "é", "utf-8", True),
            (b"<meta charset=zlib><p>\xc3\xa9", "é", "utf-8", True),
            (b"<meta charset=unicode_escape><p>\\u0041", "\\u0041", "utf-8", True),
            ("<p>é".encode("utf-16"), "é", "utf-16-le", False),
        ],
    )
    def test_encoding(self, data: bytes, text: str, encoding: str, noted: bool) -> None:
        found = extract(data, "a.html")
        assert (found.parts[0].text, found.parts[0].encoding) == (text, encoding)
        assert ("encoding-proposed" in codes(found)) is noted

    def test_no_encoding_fits(self) -> None:
        with pytest.raises(Refusal) as caught:
            extract(b"<p>\x81\x8d\xff", "a.html")
        assert caught.value.code == "encoding"

    def test_deep_nesting_is_read_in_time(self) -> None:
        data = b"<div><b>" * 30_000 + b"deep" + b"</i></b>" * 30_000
        assert extract(data, "a.html").parts[0].text == "deep"


class TestXml:
    def text(self, markup: str) -> str:
        return extract(markup.encode(), "a.xml").parts[0].text

    def test_a_whole_edition(self, samples: ModuleType) -> None:
        found = extract(samples.TEI, "a.xml")
        (part,) = found.parts
        assert part.text == samples.TEI_TEXT
        assert (part.title, part.author) == ("A letter", "Jane Roe")
        assert {"tei-notes", "tei-deletions", "tei-speakers", "tei-editorial"} == set(codes(found))

    def test_a_corpus_of_editions(self, samples: ModuleType) -> None:
        one = samples.TEI.decode().partition("?>")[2]
        two = one.replace("Jane\n Roe", "John Doe").replace("First line", "Other line")
        found = extract(f"<teiCorpus>{one}{two}</teiCorpus>".encode(), "a.xml")
        assert [part.author for part in found.parts] == ["Jane Roe", "John Doe"]
        assert "Other line" in found.parts[1].text and "First line" not in found.parts[1].text

    @pytest.mark.parametrize(
        ("markup", "text"),
        [
            ("<a><x>one</x><x>two</x></a>", "one\n\ntwo"),
            ("<a>run<b>ning</b> text</a>", "running text"),
            ("<r><x>Start</x> of it <c>all</c>.</r>", "Start of it all."),
            ("<a><p>x</p> <p>y</p></a>", "x\n\ny"),
            ("<a><x><y>deep</y></x><z>next</z></a>", "deep\n\nnext"),
            ("<a><em>Hi</em> <em>you</em></a>", "Hi you"),
            ("<a><![CDATA[<b>]]> &amp; &#233;</a>", "<b> & é"),
        ],
    )
    def test_any_xml_is_all_of_its_text(self, markup: str, text: str) -> None:
        assert self.text(markup) == text

    def test_declared_and_undeclared_encodings(self) -> None:
        declared = "<?xml version='1.0' encoding='windows-1251'?><a>При</a>".encode("cp1251")
        assert extract(declared, "a.xml").parts[0].text == "При"
        found = extract(b"<a>caf\xe9 \x93x\x94</a>", "a.xml")
        assert found.parts[0] == type(found.parts[0])("café “x”", encoding="cp1252")
        assert "encoding-proposed" in codes(found)
        with pytest.raises(Refusal, match="line 1"), worded():
            extract(b"<?xml version='1.0' encoding='utf-8'?><a>caf\xe9</a>", "a.xml")

    def test_an_old_doctype_line_is_not_followed(self) -> None:
        head = '<!DOCTYPE TEI.2 SYSTEM "http://example.invalid/teixlite.dtd">'
        found = extract(f"{head}<TEI.2><text><body><p>a&mdash;b</p></body></text></TEI.2>".encode(), "a.xml")
        assert found.parts[0].text == "a—b"
        assert codes(found)["entities"].endswith(": 1.")
        with pytest.raises(Refusal, match="line 1") as caught, worded():
            extract(f"{head}<TEI.2><text><body><p>a&mystery;b</p></body></text></TEI.2>".encode(), "a.xml")
        assert caught.value.code == "entity"

    def test_the_source_of_a_text_is_what_it_was_taken_from_or_the_edition(self) -> None:
        def tei(title: str, taken_from: str = "") -> str:
            source = (
                f"<sourceDesc><bibl><author>A</author><title>{taken_from}</title></bibl></sourceDesc>"
                if taken_from
                else ""
            )
            header = f"<fileDesc><titleStmt><title>{title}</title></titleStmt>{source}</fileDesc>"
            return f"<TEI><teiHeader>{header}</teiHeader><text><body><p>x <title>y</title></p></body></text></TEI>"

        def sources(data: str) -> list[tuple[str, str]]:
            return [(part.title, part.source) for part in extract(data.encode(), "a.xml").parts]

        assert sources(tei("One")) == [("One", "")], "a title alone is no source"
        assert sources(tei("One", "The <hi>Times</hi>,\n1887")) == [("One", "The Times, 1887")]
        edition = "<teiHeader><fileDesc><titleStmt><title>Letters</title></titleStmt></fileDesc></teiHeader>"
        corpus = f"<teiCorpus>{edition}{tei('One')}{tei('Two', 'A box')}{tei('Three')}</teiCorpus>"
        assert sources(corpus) == [("One", "Letters"), ("Two", "A box"), ("Three", "Letters")]

    def test_malformed(self) -> None:
        with pytest.raises(Refusal, match=r"not well-formed XML \(line 2, column 1\)"), worded():
            extract(b"<a>text\n", "a.xml")


def message(body: str, headers: str = "Content-Type: text/plain; charset=utf-8") -> bytes:
    return f"From: Jane <jane@example.invalid>\nSubject: s\n{headers}\n\n{body}".encode()


class TestMail:
    def test_a_whole_message(self, samples: ModuleType) -> None:
        found = extract(samples.EML, "a.eml")
        (part,) = found.parts
        assert part.text == "The café was full, and so we went home.\n-- \nJane"
        assert (part.title, part.author, part.source) == ("Re: Café bill", "Jane Röe", "shared: Café bill")
        assert part.encoding == "iso8859-1"
        assert set(codes(found)) == {"attachments", "attached-messages"}
        assert "somebody else" not in part.text

    @pytest.mark.parametrize(
        ("headers", "thread"),
        [
            ("Subject: AW: Re: The boat", "The boat"),
            ("Subject: Re:\nReferences: <1@x> <2@x>\nIn-Reply-To: <2@x>", "<1@x>"),
            ("In-Reply-To: <2@x>\nList-Id: <boats.example.invalid>", "<2@x>"),
            ("List-Id: <boats.example.invalid>", "<boats.example.invalid>"),
            ("To: Bob", ""),
        ],
    )
    def test_the_thread_of_a_message(self, headers: str, thread: str) -> None:
        (part,) = extract(f"From: a@example.invalid\n{headers}\n\nHello.".encode(), "a.eml").parts
        assert part.source == (f"shared: {thread}" if thread else ""), "others write in it too"

    def test_html_only(self) -> None:
        found = extract(
            message("<p>Hello <b>you</b></p><img src=http://example.invalid/x>", "Content-Type: text/html"), "a.eml"
        )
        assert found.parts[0].text == "Hello you"
        assert {"html-only", "remote-content"} <= set(codes(found))

    def test_an_inline_text_after_a_picture_belongs_to_the_text(self) -> None:
        part = "--b\nContent-Type: {}\n\n{}\n"
        body = (
            part.format("text/plain", "One.")
            + part.format("image/png", "x")
            + part.format("text/plain", "Two.")
            + "--b--\n"
        )
        found = extract(message(body, "Content-Type: multipart/mixed; boundary=b"), "a.eml")
        assert found.parts[0].text == "One.\n\nTwo."
        assert "attachments" in codes(found)

    def test_a_signed_message(self) -> None:
        body = "--b\nContent-Type: text/plain\n\nSigned.\n--b\nContent-Type: application/pgp-signature\n\nxyz\n--b--\n"
        found = extract(message(body, "Content-Type: multipart/signed; boundary=b"), "a.eml")
        assert found.parts[0].text == "Signed."
        assert not found.notes

    def test_an_encrypted_message(self) -> None:
        body = "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream\n\nx\n--b--\n"
        with pytest.raises(Refusal) as caught:
            extract(message(body, "Content-Type: multipart/encrypted; boundary=b"), "a.eml")
        assert caught.value.code == "encrypted"

    def test_nothing_but_an_attached_message(self) -> None:
        body = "--b\nContent-Type: message/rfc822\n\nFrom: x\n\nInner.\n--b--\n"
        with pytest.raises(Refusal, match="only attached messages"), worded():
            extract(message(body, "Content-Type: multipart/mixed; boundary=b"), "a.eml")

    def test_a_message_that_was_cut_off(self) -> None:
        body = "--b\nContent-Type: text/plain\n\nThe text.\n"
        assert "cut-off" in codes(extract(message(body, "Content-Type: multipart/mixed; boundary=b"), "a.eml"))

    def test_wrong_and_missing_charsets(self) -> None:
        head = b"From: a@b\nContent-Type: text/plain; charset=us-ascii\n\n"
        found = extract(head + b"\x93Yes\x94", "a.eml")
        assert found.parts[0].text == "“Yes”"
        assert "encoding-proposed" in codes(found)

    @pytest.mark.parametrize(
        "subject", ["=?utf-8?b?!!!?=", "=?nonsense?q?x?=", "=?utf-8?q?=FF=FE?=", "\x00\x01", "=?" * 500]
    )
    def test_broken_headers_do_not_matter(self, subject: str) -> None:
        data = f"From: =?x?= <\nSubject: {subject}\n\nThe text.\n".encode()
        assert extract(data, "a.eml").parts[0].text == "The text."

    def test_not_a_message(self) -> None:
        with pytest.raises(Refusal, match="not a mail message"), worded():
            extract(b"Just some words\nwithout any header.\n", "a.eml")

    @pytest.mark.parametrize(
        ("flowed", "text"),
        [
            ("one \ntwo\nthree", "one two\nthree"),
            ("> one \n> two\nthree", "> one two\nthree"),
            ("> one \nmine", "> one \nmine"),
            ("end\n-- \nJane", "end\n-- \nJane"),
            ("go \n-- \nJane", "go \n-- \nJane"),
            (" From here", "From here"),
            (">> one \n>> two\n> three", ">> one two\n> three"),
        ],
    )
    def test_lines_broken_for_transport(self, flowed: str, text: str) -> None:
        assert unflowed(flowed) == text

    def test_lines_broken_inside_words(self) -> None:
        assert unflowed("to \ngether ", delete_space=True) == "together"


class TestMailbox:
    def test_a_whole_mailbox(self, samples: ModuleType) -> None:
        found = extract(samples.MBOX, "a.mbox")
        assert [part.text for part in found.parts] == [
            "First text.\nFrom here on.\n\nFrom the start it was clear.",
            "Second text.",
        ]
        assert [part.title for part in found.parts] == ["One", "Two"]
        assert codes(found)["empty-messages"].endswith(": 1.")

    def test_one_bad_message_does_not_stop_the_others(self, samples: ModuleType) -> None:
        bad = b"From x Mon Jan  6 10:00:00 2025\nFrom: x\nContent-Type: multipart/mixed; boundary=b\n\nno boundary here\n\n"
        found = extract(bad + samples.MBOX, "a.mbox")
        assert len(found.parts) == 2
        assert codes(found)["unread-messages"].endswith(": 1.")

    def test_too_many_messages(self, samples: ModuleType) -> None:
        with pytest.raises(Refusal, match="more than 2 messages"), worded():
            extract(samples.MBOX, "a.mbox", limits=Limits(messages=2))

    def test_not_a_mailbox(self) -> None:
        with pytest.raises(Refusal, match="not a mailbox"), worded():
            extract(b"From the start it was clear.\n", "a.mbox")


class TestPdf:
    def test_a_whole_document(self, samples: ModuleType) -> None:
        (part,) = extract(samples.pdf(samples.PDF_PAGES), "a.pdf").parts
        assert part.text == samples.PDF_TEXT
        assert (part.title, part.author) == ("A letter", "Jane Roe")

    def test_no_text_layer(self, samples: ModuleType) -> None:
        with pytest.raises(Refusal, match="OCR") as caught, worded():
            extract(samples.pdf([[], []]), "scan.pdf")
        assert caught.value.code == "no-text-layer"

    def test_some_pages_without_text(self, samples: ModuleType) -> None:
        found = extract(samples.pdf([["One page."], []]), "a.pdf")
        assert found.parts[0].text == "One page."
        assert codes(found)["pages-without-text"].endswith(": 1.")

    def test_too_many_pages(self, samples: ModuleType) -> None:
        with pytest.raises(Refusal, match="more than 1 pages"), worded():
            extract(samples.pdf([["a"], ["b"]]), "a.pdf", limits=Limits(pages=1))

    def test_letters_that_mean_nothing(self, samples: ModuleType) -> None:
        data = samples.pdf([["\x01\x02\x03\x04\x05 abc"]])
        with pytest.raises(Refusal, match="does not say which letters"), worded():
            extract(data, "a.pdf")

    def test_ligatures_and_justified_lines_are_typesetting(self, samples: ModuleType) -> None:
        from forensia.corpus.filetypes.pdf import _judged

        found = _judged(["The  ﬁrst   oﬃce "], ("", ""), "a.pdf", Limits())
        assert found.parts[0].text.strip() == "The first office", (
            "nor are the wide spaces of justified lines the author's"
        )
        assert codes(found)["ligatures"].endswith(": 2.")

    def test_not_a_pdf(self) -> None:
        with pytest.raises(Refusal, match="not a PDF"), worded():
            extract(b"plain text", "a.pdf")
