"""Word, OpenDocument and RTF: what is the text and what is not."""

from __future__ import annotations

from types import ModuleType

import pytest

from forensia.corpus.document import Severity
from forensia.corpus.filetypes import Extraction, Limits, Refusal, extract
from forensia.wording.problems import message, next_step, worded


def codes(extraction: Extraction) -> dict[str, str]:
    return {note.code: message(note) for note in extraction.notes}


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


class TestWord:
    def text(self, samples: ModuleType, body: str, **others: str) -> tuple[str, dict[str, str]]:
        found = extract(samples.docx(body, **others), "a.docx")
        return found.parts[0].text, codes(found)

    def test_a_whole_document(self, samples: ModuleType) -> None:
        found = extract(samples.docx(), "a.docx")
        (part,) = found.parts
        assert part.text == samples.BODY_TEXT
        assert (part.title, part.author) == ("A letter", "Jane Roe")
        assert set(codes(found)) == {"footnotes", "headers-footers"}

    def test_tracked_changes(self, samples: ModuleType) -> None:
        body = (
            f"<w:p>{run('He ')}<w:ins w:id='1' w:author='A'>{run('truly ')}</w:ins>"
            f"<w:del w:id='2' w:author='B'><w:r><w:delText>never </w:delText></w:r></w:del>"
            f"<w:moveFrom w:id='3' w:author='A'>{run('moved ')}</w:moveFrom>{run('came')}"
            f"<w:moveTo w:id='4' w:author='A'>{run(' moved')}</w:moveTo>"
            f"<w:ins w:id='5' w:author='A'><w:del w:id='6' w:author='A'>{run(' both')}</w:del></w:ins></w:p>"
        )
        text, notes = self.text(samples, body)
        assert text == "He truly came moved"
        assert "kept in the text: 3." in notes["tracked-insertions"]
        assert "left out: 3." in notes["tracked-deletions"]
        assert notes["revisers"].endswith(": 2.")

    def test_a_deleted_paragraph_mark_joins_two_paragraphs(self, samples: ModuleType) -> None:
        mark = "<w:pPr><w:rPr><w:del w:author='A'/></w:rPr></w:pPr>"
        body = f"<w:p>{mark}{run('One ')}</w:p><w:p>{run('two.')}</w:p><w:p>{run('Three.')}</w:p>"
        assert self.text(samples, body)[0] == "One two.\n\nThree."

    def test_a_deleted_row_is_gone_and_the_next_is_not(self, samples: ModuleType) -> None:
        body = (
            f"<w:tbl><w:tr><w:trPr><w:del w:author='A'/></w:trPr><w:tc><w:p>{run('gone')}</w:p></w:tc></w:tr>"
            f"<w:tr><w:tc><w:p>{run('kept')}</w:p></w:tc></w:tr></w:tbl>"
        )
        text, notes = self.text(samples, body)
        assert text == "kept"
        assert "tracked-deletions" in notes

    @pytest.mark.parametrize(
        ("properties", "hidden"),
        [
            ("<w:vanish/>", True),
            ('<w:vanish w:val="1"/>', True),
            ('<w:vanish w:val="0"/>', False),
            ('<w:vanish w:val="false"/>', False),
            ('<w:rStyle w:val="Secret"/>', True),
            ('<w:rStyle w:val="Deeper"/>', True),
            ('<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>', False),
            ('<w:rPrChange w:author="A"><w:rPr><w:vanish/></w:rPr></w:rPrChange>', False),
            ("<w:webHidden/>", False),
        ],
    )
    def test_hidden_text(self, samples: ModuleType, properties: str, hidden: bool) -> None:
        text, notes = self.text(samples, f"<w:p>{run('seen')}{run(' unseen', properties)}{run(' end')}</w:p>")
        assert text == ("seen end" if hidden else "seen unseen end")
        assert ("hidden-text" in notes) is hidden

    def test_the_mark_of_a_hidden_paragraph_end_hides_no_text(self, samples: ModuleType) -> None:
        body = f"<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>{run('seen')}</w:p>"
        assert self.text(samples, body)[0] == "seen"

    def test_comments_are_counted(self, samples: ModuleType) -> None:
        body = f"<w:p><w:commentRangeStart w:id='0'/>{run('text')}"
        body += "<w:commentRangeEnd w:id='0'/><w:r><w:commentReference w:id='0'/></w:r></w:p>"
        text, notes = self.text(samples, body)
        assert text == "text"
        assert notes["comments"].endswith(": 1.")

    def test_a_text_box_is_read_once_after_its_paragraph(self, samples: ModuleType) -> None:
        box = f"<w:txbxContent><w:p>{run('in the box')}</w:p></w:txbxContent>"
        body = (
            f"<w:p>{run('before ')}<w:r><mc:AlternateContent>"
            f"<mc:Choice Requires='wps'><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice>"
            f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>{run('after')}</w:p>"
        )
        text, notes = self.text(samples, body)
        assert text == "before after\n\nin the box"
        assert notes["text-boxes"].endswith(": 1.")

    def test_the_code_of_nested_fields_is_no_text(self, samples: ModuleType) -> None:
        def field(kind: str) -> str:
            return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

        inner = (
            f"{field('begin')}<w:r><w:instrText> PAGE </w:instrText></w:r>{field('separate')}{run('7')}{field('end')}"
        )
        body = f"<w:p>{field('begin')}<w:r><w:instrText>IF</w:instrText></w:r>{inner}"
        body += f"{field('separate')}{run('seen')}{field('end')}{run('.')}</w:p>"
        assert self.text(samples, body)[0] == "seen."

    def test_a_field_without_an_end_is_told(self, samples: ModuleType) -> None:
        body = f'<w:p>{run("seen")}<w:r><w:fldChar w:fldCharType="begin"/></w:r>{run("lost")}</w:p>'
        text, notes = self.text(samples, body)
        assert text == "seen"
        assert "open-fields" in notes

    def test_symbols_formulas_and_embedded_objects_are_counted(self, samples: ModuleType) -> None:
        body = (
            f"<w:p>{run('a')}<w:r><w:sym w:font='Wingdings' w:char='F0E0'/></w:r><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>{run('b')}</w:p>"
            "<w:altChunk/>"
        )
        text, notes = self.text(samples, body)
        assert text == "ab"
        assert {"symbols", "formulas", "embedded"} <= set(notes)

    def test_space_at_the_ends_counts_only_where_word_says_so(self, samples: ModuleType) -> None:
        body = (
            "<w:p><w:r><w:t> a </w:t></w:r><w:r><w:t xml:space='preserve'> b </w:t></w:r><w:r><w:t>c</w:t></w:r></w:p>"
        )
        assert self.text(samples, body)[0] == "a b c"

    def test_the_strict_form_of_the_format(self, samples: ModuleType) -> None:
        document = (
            '<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body><w:p><w:r><w:t>Strict.</w:t></w:r></w:p></w:body>'
            "</w:document>"
        )
        assert self.text(samples, "", document=document)[0] == "Strict."

    def test_a_note_is_read_once_however_often_it_is_called(self, samples: ModuleType) -> None:
        call = "<w:p><w:r><w:t>x</w:t><w:footnoteReference w:id='1'/></w:r></w:p>"
        assert self.text(samples, call * 3)[0] == "x\n\nSee the old deed.\n\nx\n\nx"

    def test_an_archive_that_is_no_document(self, samples: ModuleType) -> None:
        with pytest.raises(Refusal, match="not a Word document"), worded():
            extract(samples.zipped({"a.txt": "x"}), "a.docx")

    def test_two_entries_of_one_name(self, samples: ModuleType) -> None:
        data = (
            samples.docx()
            .replace(b"word/styles.xml", b"word/STYLES.xml")
            .replace(b"word/header1.xml", b"word/header2.xml")
        )
        assert extract(data, "a.docx").parts[0].text == samples.BODY_TEXT, "names are the same in any case of letters"
        with pytest.raises(Refusal, match="same name"), worded():
            extract(samples.zipped({"Word/document.xml": "<a/>", "word/document.xml": "<b/>"}), "a.docx")

    def test_policy_of_severity(self, samples: ModuleType) -> None:
        body = f"<w:p><w:ins w:author='A'>{run('x')}</w:ins></w:p>"
        (inserted,) = [n for n in extract(samples.docx(body), "a.docx").notes if n.code == "tracked-insertions"]
        assert inserted.severity is Severity.WARNING
        assert next_step(inserted)


class TestOpenDocument:
    def text(self, samples: ModuleType, body: str) -> tuple[str, dict[str, str]]:
        found = extract(samples.odt(body), "a.odt")
        return found.parts[0].text, codes(found)

    def test_a_whole_document(self, samples: ModuleType) -> None:
        found = extract(samples.odt(), "a.odt")
        (part,) = found.parts
        assert part.text == samples.ODT_TEXT
        assert (part.title, part.author) == ("A letter", "Jane Roe")

    def test_tracked_changes(self, samples: ModuleType) -> None:
        info = "<office:change-info><dc:creator>{}</dc:creator><dc:date>2025</dc:date></office:change-info>"
        body = (
            "<text:tracked-changes>"
            f"<text:changed-region text:id='c1'><text:insertion>{info.format('A')}</text:insertion></text:changed-region>"
            f"<text:changed-region text:id='c2'><text:deletion>{info.format('B')}"
            "<text:p>never </text:p></text:deletion></text:changed-region>"
            "</text:tracked-changes>"
            "<text:p>He <text:change-start text:change-id='c1'/>truly<text:change-end text:change-id='c1'/> came"
            "<text:change text:change-id='c2'/>.</text:p>"
        )
        text, notes = self.text(samples, body)
        assert text == "He truly came."
        assert notes["tracked-insertions"].endswith(": 1.")
        assert notes["tracked-deletions"].endswith(": 1.")
        assert notes["revisers"].endswith(": 2.")

    def test_hidden_text_and_comments(self, samples: ModuleType) -> None:
        body = (
            "<text:p>seen<text:span text:style-name='T1'> span</text:span>"
            "<office:annotation><dc:creator>B</dc:creator><text:p>remark</text:p>"
            "</office:annotation><text:hidden-text text:string-value='x'>field</text:hidden-text> end</text:p>"
            "<text:p text:style-name='P1'>paragraph</text:p><text:section text:display='none'><text:p>section</text:p></text:section>"
        )
        text, notes = self.text(samples, body)
        assert text == "seen end"
        assert notes["hidden-text"].endswith(": 4.")
        assert notes["comments"].endswith(": 1.")

    def test_a_text_box_follows_its_paragraph(self, samples: ModuleType) -> None:
        box = "<draw:frame><draw:text-box><text:p>in the box</text:p></draw:text-box></draw:frame>"
        text, _ = self.text(samples, f"<text:p>before {box}after</text:p>{box}<text:p>end</text:p>")
        assert text == "before after\n\nin the box\n\nin the box\n\nend"

    def test_a_spreadsheet_is_no_text(self, samples: ModuleType) -> None:
        with pytest.raises(Refusal, match="not a text"), worded():
            extract(samples.odt("", kind="spreadsheet"), "a.odt")

    def test_a_false_number_of_spaces(self, samples: ModuleType) -> None:
        text, _ = self.text(
            samples, "<text:p>a<text:s text:c='999999999999'/>b<text:s text:c='-1'/>c<text:s text:c='70000'/>d</text:p>"
        )
        assert text.replace(" ", "") == "abcd"
        assert len(text) < 2_000


class TestRtf:
    def text(self, rtf: bytes) -> tuple[str, dict[str, str]]:
        found = extract(rtf, "a.rtf")
        return found.parts[0].text, codes(found)

    def test_a_whole_document(self, samples: ModuleType) -> None:
        (part,) = extract(samples.RTF, "a.rtf").parts
        assert part.text == samples.RTF_TEXT
        assert (part.title, part.author) == ("A letter", "Jane Roe")

    @pytest.mark.parametrize(
        ("rtf", "text"),
        [
            (rb"{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8}", "При"),
            (rb"{\rtf1\mac \'8e}", "é"),
            (rb"{\rtf1\pc \'82}", "é"),
            (rb"{\rtf1\ansi\ansicpg932 \'93\'fa\'96\'7b}", "日本"),
            (rb"{\rtf1\ansi\ansicpg932 \'83A}", "ア"),  # the second byte of a character may be a plain letter
            (rb"{\rtf1\ansi{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset161 B;}}\f1\'e1\f0\'e1}", "αá"),
            (rb"{\rtf1\ansi\uc1 a\u8364?b}", "a€b"),
            (rb"{\rtf1\ansi\uc2 a\u8364\'80\'80b}", "a€b"),
            (rb"{\rtf1\ansi\uc0 a\u8364b}", "a€b"),
            (rb"{\rtf1\ansi\uc1\u-10179?\u-8704?}", "\U0001f600"),
            (rb"{\rtf1 {\uc0\u233}\u233 e}", "éé"),
            (rb"{\rtf1 a\{b\}\\c\~d\_e\-f}", "a{b}\\c\u00a0d\u2011e\u00adf"),
            (b"{\\rtf1 one\r\ntwo\\\nthree}", "onetwo\n\nthree"),
            (rb"{\rtf1 a{\upr{plain}{\*\ud{r\u233?al}}}b}", "aréalb"),
            (rb"{\rtf1 a{\stylesheet{\upr{x}{\*\ud{no}}}}b}", "ab"),
            (rb"{\rtf1 a{\*\unknown no {\b no}}b}", "ab"),
            (rb"{\rtf1 a\bin3 }}{b}", "ab"),
            (
                rb"{\rtf1 a{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt in the box\par}}{\shprslt no}}b\par c}",
                "ab\n\nin the box\n\nc",
            ),
            (rb"{\rtf1{\listtext 1.\tab}first\par}", "first"),
            (rb"{\rtf1 x{\footnote one}\par y{\footnote\ftnalt two}\par z\par}", "x\n\none\n\ny\n\nz\n\ntwo"),
            (rb"{\rtf1 ok}trailing rubbish", "ok"),
        ],
    )
    def test_text(self, rtf: bytes, text: str) -> None:
        assert self.text(rtf)[0] == text

    def test_hidden_deleted_and_commented(self) -> None:
        text, notes = self.text(
            rb"{\rtf1 seen{\v  hidden}{\deleted gone} {\revised new}\v also\v0  end{\*\atnid A}{\*\annotation remark}\v x\plain .}"
        )
        assert text == "seen new end."
        assert notes["hidden-text"].endswith(": 3.")
        assert notes["tracked-deletions"].endswith(": 1.")
        assert notes["tracked-insertions"].endswith(": 1.")
        assert notes["comments"].endswith(": 1.")

    def test_symbols_and_bytes_outside_the_code_page_are_told(self) -> None:
        text, notes = self.text(rb"{\rtf1\ansi{\fonttbl{\f2\fcharset2 Symbol;}}a{\f2 abc}b\'81c\ansicpg31337 \'e9}")
        assert text == "ab\ufffdcé"
        assert {"symbols", "undecodable", "unknown-code-page"} <= set(notes)

    def test_not_rtf(self) -> None:
        with pytest.raises(Refusal, match="not RTF"), worded():
            extract(b"plain text", "a.rtf")


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.rtf"])
def test_more_text_than_the_limit(samples: ModuleType, name: str) -> None:
    with pytest.raises(Refusal) as caught:
        extract(samples.all_types()[name], name, limits=Limits(characters=10))
    assert caught.value.code == "too-large"
