"""Small documents of every type, as Word, LibreOffice, mail programs and browsers write them. Not a test: the tests load it."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"

_CONTENT_TYPES = f"""{_XML}<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels"
 ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>
<Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/>
</Types>"""
_RELS = f"""{_XML}<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId3" Type="{_OFFICE}/extended-properties" Target="docProps/app.xml"/>
<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>
<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>"""
_DOCUMENT_RELS = f"""{_XML}<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/styles" Target="styles.xml"/>
<Relationship Id="rId2" Type="{_OFFICE}/footnotes" Target="footnotes.xml"/>
<Relationship Id="rId3" Type="{_OFFICE}/endnotes" Target="endnotes.xml"/>
<Relationship Id="rId4" Type="{_OFFICE}/header" Target="header1.xml"/>
<Relationship Id="rId5" Type="{_OFFICE}/hyperlink" Target="http://example.invalid/" TargetMode="External"/></Relationships>"""
_CORE = f"""{_XML}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>A letter</dc:title><dc:creator>Jane Roe</dc:creator>
<cp:lastModifiedBy>Clerk</cp:lastModifiedBy></cp:coreProperties>"""
_STYLES = f"""{_XML}<w:styles xmlns:w="{W}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Deeper"><w:basedOn w:val="Secret"/><w:name w:val="Deeper"/></w:style></w:styles>"""
_FOOTNOTES = f"""{_XML}<w:footnotes xmlns:w="{W}"><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>
<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:t>continued</w:t></w:r></w:p></w:footnote>
<w:footnote w:id="1"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr><w:r><w:footnoteRef/></w:r>
 <w:r><w:t xml:space="preserve"> See the old</w:t></w:r>
<w:r><w:t xml:space="preserve"> deed.</w:t></w:r></w:p></w:footnote></w:footnotes>"""
_ENDNOTES = f"""{_XML}<w:endnotes xmlns:w="{W}"><w:endnote w:id="2">
<w:p><w:r><w:t>Thanks to all.</w:t></w:r></w:p></w:endnote></w:endnotes>"""

BODY = """
<w:p w:rsidR="00A1"><w:pPr><w:pStyle w:val="Heading1"/><w:rPr><w:lang w:val="en-GB"/></w:rPr></w:pPr><w:r><w:t>The be</w:t></w:r>
 <w:proofErr w:type="spellStart"/><w:r w:rsidRPr="00B2"><w:rPr><w:b/></w:rPr><w:t>gin</w:t></w:r><w:r><w:t>ning</w:t></w:r></w:p>
<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr>
 <w:r><w:t xml:space="preserve">He wrote </w:t></w:r><w:r><w:tab/><w:t>it</w:t></w:r>
 <w:r><w:br/><w:t>twice</w:t></w:r><w:r><w:noBreakHyphen/><w:t>over</w:t></w:r><w:r><w:t>, un</w:t><w:softHyphen/><w:t>known.</w:t></w:r>
 <w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="1"/></w:r>
 <w:r><w:endnoteReference w:id="2"/></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">On </w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r>
 <w:r><w:instrText xml:space="preserve"> DATE \\@ "d" </w:instrText></w:r>
 <w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>Monday</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>
 <w:fldSimple w:instr=" AUTHOR "><w:r><w:t xml:space="preserve"> she</w:t></w:r></w:fldSimple>
 <w:hyperlink r:id="rId5" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">
 <w:r><w:t xml:space="preserve"> left</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t></w:r></w:p>
<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tr><w:tc><w:tcPr><w:tcW w:w="1"/></w:tcPr><w:p>
 <w:r><w:t>cell one</w:t></w:r></w:p></w:tc>
 <w:tc><w:p><w:r><w:t>cell two</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:sectPr><w:headerReference w:type="default" w:id="x"/><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>"""

BODY_TEXT = (
    "The beginning\n\nHe wrote \tit\ntwice\u2011over, un\u00adknown.\n\nSee the old deed.\n\nOn Monday she left.\n\n"
    "cell one\n\ncell two\n\nThanks to all."
)


def zipped(entries: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def docx(body: str = BODY, **others: str) -> bytes:
    """A Word document; `others` replaces parts, by the name of the file without its ending."""
    document = (
        f'{_XML}<w:document xmlns:w="{W}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
        ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:wps="wps" xmlns:v="urn:schemas-microsoft-com:vml"'
        f' mc:Ignorable="w14"><w:body>{body}</w:body></w:document>'
    )
    return zipped(
        {
            "[Content_Types].xml": _CONTENT_TYPES,
            "_rels/.rels": _RELS,
            "word/document.xml": others.get("document", document),
            "word/_rels/document.xml.rels": _DOCUMENT_RELS,
            "word/styles.xml": others.get("styles", _STYLES),
            "word/footnotes.xml": others.get("footnotes", _FOOTNOTES),
            "word/endnotes.xml": _ENDNOTES,
            "word/header1.xml": f'{_XML}<w:hdr xmlns:w="{W}"><w:p><w:r><w:t>Page head</w:t></w:r></w:p></w:hdr>',
            "docProps/core.xml": others.get("core", _CORE),
        }
    )


_ODF = (
    " ".join(
        f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for prefix, name in (
            ("office", "office"),
            ("text", "text"),
            ("style", "style"),
            ("draw", "drawing"),
            ("table", "table"),
            ("meta", "meta"),
        )
    )
    + ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
ODT_STYLES = """<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Hidden_20_all"/>"""
ODT_BODY = """<text:sequence-decls><text:sequence-decl text:name="Table"/></text:sequence-decls>
<text:h text:outline-level="1">The be<text:span text:style-name="T2">gin</text:span>ning</text:h>
<text:p text:style-name="Standard">He wrote <text:tab/>it<text:line-break/>twice,
   over <text:s text:c="2"/>again<text:note text:id="ftn1" text:note-class="footnote"><text:note-citation>1</text:note-citation>
   <text:note-body><text:p>See the old deed.</text:p></text:note-body></text:note>.</text:p>
<text:p>She left<text:note text:id="ftn2" text:note-class="endnote"><text:note-citation>i</text:note-citation><text:note-body><text:p>Thanks
 to all.</text:p></text:note-body></text:note>.</text:p>
<table:table><table:table-row><table:table-cell><text:p>cell one</text:p></table:table-cell><table:table-cell><text:p>cell two</text:p>
</table:table-cell></table:table-row></table:table>
<text:list><text:list-item><text:p>an item</text:p></text:list-item></text:list>"""
ODT_TEXT = (
    "The beginning\n\nHe wrote \tit\ntwice, over   again.\n\nSee the old deed.\n\nShe left.\n\ncell one\n\ncell two\n\nan item"
    "\n\nThanks to all."
)


def odt(body: str = ODT_BODY, styles: str = ODT_STYLES, manifest: str = "", kind: str = "text") -> bytes:
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content {_ODF} office:version="1.3"><office:scripts/>'
        f"<office:automatic-styles>{styles}</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body>"
        "</office:document-content>"
    )
    common = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-styles {_ODF}><office:styles><style:style style:name="Hidden_20_all"'
        ' style:family="paragraph"><style:text-properties text:display="none"/></style:style></office:styles><office:master-styles>'
        "<style:header><text:p>Page head</text:p></style:header></office:master-styles></office:document-styles>"
    )
    meta = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-meta {_ODF}><office:meta><meta:initial-creator>Jane Roe'
        "</meta:initial-creator><dc:title>A letter</dc:title><dc:creator>Clerk</dc:creator></office:meta></office:document-meta>"
    )
    listing = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry'
        f' manifest:full-path="content.xml" manifest:media-type="text/xml">{manifest}</manifest:file-entry></manifest:manifest>'
    )
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": content,
            "styles.xml": common,
            "meta.xml": meta,
            "META-INF/manifest.xml": listing,
        }
    )


RTF = (
    rb"{\rtf1\ansi\ansicpg1252\deff0\nouicompat{\fonttbl{\f0\fnil\fcharset0 Calibri;}"
    rb"{\f1\fnil\fcharset204 Arial Cyr;}{\f2\fnil\fcharset2 Symbol;}}"
    b"\r\n"
    rb"{\colortbl ;\red0\green0\blue255;}{\stylesheet{\s0 Normal;}{\*\cs15 Hidden;}}"
    rb"{\info{\title A letter}{\author Jane Roe}{\doccomm not text}}"
    b"\r\n"
    rb"{\*\generator Riched20 10.0;}\viewkind4\uc1\pard\sa200\f0\fs22\lang9 The be{\b gin}ning, caf\'e9 \u8212?twice\par"
    b"\r\n"
    rb"He said \ldblquote no\rdblquote\~\f1\'cf\'f0\'e8\f0  and left\-.{\footnote\pard\plain \chftn  See the old deed.}\line Next line.\par"
    b"\r\n"
    rb"{\field{\*\fldinst{HYPERLINK x}}{\fldrslt{\ul a link}}}{\pict\wmetafile8 0100090000}\par}"
    b"\r\n\x00"
)
RTF_TEXT = (
    "The beginning, café —twice\n\nHe said “no”\u00a0При and left\u00ad.\nNext line.\n\nSee the old deed.\n\na link"
)

HTML = b"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A
 letter</title><meta name="author" content="Jane Roe"><style>p {color: red}</style>
<link rel="stylesheet" href="http://example.invalid/x.css"><script>document.write("no")</script></head>
<body><h1>The be<b>gin</b>ning</h1><p>He wrote   it<br>twice &mdash; caf&eacute; &#8220;over&#8221;.<p hidden>secret
<p>Second <span style="display: none">trap</span>one.<img src="https://example.invalid/pixel.gif" alt="x"></p>
<ul><li>one<li>two</ul><pre>  kept
   lines</pre><noscript>no script</noscript><!-- comment --></body></html>"""
HTML_TEXT = "The beginning\n\nHe wrote it\ntwice — café “over”.\n\nSecond one.\n\none\n\ntwo\n\nkept\n   lines"

TEI = b"""<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>A letter</title><title type="sub">Sub</title><author>Jane
 Roe</author></titleStmt><sourceDesc><p>From the archive</p></sourceDesc></fileDesc></teiHeader>
<text><front><p>Preface by the editor</p></front><body><div><head>The be<hi rend="i">gin</hi>ning</head>
<p>He wrote it<note>Editor's note</note>
   twice, <choice><sic>teh</sic><corr>the</corr></choice> <del>gone</del><add>new</add> way<lb break="no"/>ward <q>no</q>.</p>
<lg><l>First line</l>
<l>Second line</l></lg><sp><speaker>ANNE</speaker><l>I speak</l></sp></div></body><back><p>Index</p></back></text></TEI>"""
TEI_TEXT = "The beginning\n\nHe wrote it twice, teh new wayward no.\n\nFirst line\nSecond line\n\nI speak"

EML = b"""Return-Path: <jane@example.invalid>\r
Received: from mx.example.invalid; Mon, 6 Jan 2025 10:00:00 +0000\r
From: =?utf-8?q?Jane_R=C3=B6e?= <jane@example.invalid>\r
To: clerk@example.invalid\r
Subject: Re: =?iso-8859-1?Q?Caf=E9?= =?iso-8859-1?Q?_bill?=\r
Message-ID: <1@example.invalid>\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary="outer"\r
\r
This is a multi-part message.\r
--outer\r
Content-Type: multipart/alternative; boundary="inner"\r
\r
--inner\r
Content-Type: text/plain; charset=iso-8859-1; format=flowed\r
Content-Transfer-Encoding: quoted-printable\r
\r
The caf=E9 was =\r
full, and so we went=20\r
home.\r
--=20\r
Jane\r
--inner\r
Content-Type: text/html; charset=utf-8\r
\r
<html><body><p>HTML form</p></body></html>\r
--inner--\r
--outer\r
Content-Type: application/pdf; name="bill.pdf"\r
Content-Disposition: attachment; filename="bill.pdf"\r
Content-Transfer-Encoding: base64\r
\r
JVBERi0xLjQK\r
--outer\r
Content-Type: message/rfc822\r
\r
From: other@example.invalid\r
Subject: inner\r
\r
Text of somebody else.\r
--outer--\r
"""

MBOX = (
    b"From jane@example.invalid Mon Jan  6 10:00:00 2025\nFrom: Jane <jane@example.invalid>\nSubject: One\n\n"
    b"First text.\n>From here on.\n\n"
    b"From the start it was clear.\n\nFrom - Tue Jan  7 11:00:00 2025\nFrom: Jane <jane@example.invalid>\nSubject: Two\n"
    b"Content-Type: text/html; charset=utf-8\n\n<p>Second text.</p>\n\n"
    b"From - Tue Jan  7 12:00:00 2025\nFrom: Jane <jane@example.invalid>\nSubject: Empty\n\n\n"
)


def pdf(pages: list[list[str]], extra: bytes = b"", compressed: bool = True) -> bytes:
    """A PDF as a simple writer makes it: one font, lines of text, a table of objects."""
    objects: list[bytes] = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    kids = []
    for lines in pages:
        shown = b" ".join(
            b"(" + line.encode("cp1252").replace(b"(", b"\\(").replace(b")", b"\\)") + b") Tj T*" for line in lines
        )
        content = b"BT /F1 11 Tf 14 TL 72 760 Td " + shown + b" ET" if lines else b"0 0 m 100 100 l S"
        packed = zlib.compress(content) if compressed else content
        head = b"<</Length %d%s>>" % (len(packed), b"/Filter/FlateDecode" if compressed else b"")
        objects.append(head + b"stream\n" + packed + b"\nendstream")
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents %d 0 R>>"
            % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<</Type/Pages/Kids[" + b" ".join(kids) + b"]/Count %d>>" % len(kids)
    objects.append(b"<</Title(A letter)/Author(Jane Roe)>>")
    return assembled(objects, b"/Info %d 0 R" % len(objects) + extra)


def assembled(objects: list[bytes], trailer: bytes = b"") -> bytes:
    """Objects as a PDF file, with a table and a trailer."""
    out = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, table)
    return bytes(out)


PDF_PAGES = [["The beginning of the ‘letter’ (one).", "He wrote it some-", "times twice."], ["The second page."]]
PDF_TEXT = "The beginning of the ‘letter’ (one).\nHe wrote it some-\ntimes twice.\nThe second page."


def all_types() -> dict[str, bytes]:
    """One valid document of each type."""
    return {
        "a.docx": docx(),
        "a.odt": odt(),
        "a.rtf": RTF,
        "a.html": HTML,
        "a.xml": TEI,
        "a.eml": EML,
        "a.mbox": MBOX,
        "a.pdf": pdf(PDF_PAGES),
        "a.txt": "Plain text with an é.\n".encode(),
        "a.md": b"# Title\n\nSome *text*.\n",
    }
