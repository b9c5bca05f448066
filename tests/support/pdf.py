"""How tests read a PDF."""

from __future__ import annotations

import io
import re

_FIGURE = re.compile(rb"/P <</MCID \d+>> BDC\n(?:q [\d. ]+ cm\n)[^TE]*?Q\nEMC")


def pages_of(pdf: bytes) -> tuple[str, ...]:
    """The text of each page as a reader copies it. Figures, which have shapes and no text, are cut out before: pypdf is slow in them."""
    from pypdf import PdfReader
    from pypdf.generic import DecodedStreamObject, NameObject

    found = []
    for page in PdfReader(io.BytesIO(pdf)).pages:
        content = DecodedStreamObject()
        content.set_data(_FIGURE.sub(b"", page.get_contents().get_data()))
        page[NameObject("/Contents")] = content
        found.append(page.extract_text().replace("\xa0", " "))
    return tuple(found)
