"""What the child process runs that reads a PDF of strangers: it takes out one embedded file, and imports nothing else of ours."""

from __future__ import annotations

import io
import logging
import warnings

__all__ = ["attached"]

_MOST = 64 << 20


def attached(data: bytes, name: str) -> str | None:
    """The embedded file of a name, as text; None when there is none."""
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)  # its complaints quote the document
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted:
            return None
        contents = reader.attachments.get(name)
    if not contents or len(contents[0]) > _MOST:
        return None
    return bytes(contents[0]).decode("utf-8")
