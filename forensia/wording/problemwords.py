"""The words for every problem, by its code and, where a code has several kinds, the kind after a colon: message and next step.

A placeholder is a value of the problem, or its `file`; `{named}` is the file before a sentence that does not name it by itself.
"""

from __future__ import annotations

from forensia.corpus.filetypes import FORMATS
from forensia.corpus.proposedsources import ONE_SOURCE, SOURCES_NOT_KNOWN

_NOTHING = "Nothing need be done."
_RIGHT = "Ask for the right to read it."
_LEAVE = "Ask for the right to read it, or leave it out."
_CHOOSE = "Choose the encoding of this file, or correct it in an editor; it is left out until then."
_TRUE_TYPE = "Remove the file from the folder, or give it the ending of its true type."
_PLACES = "Look at the places, shown escaped; they may come from copying, or may be meant to mislead."
_NO_LANGUAGE = "Leave the text out, or choose the language of the corpus in the settings."
_LETTERS = "Compare the text with the original and correct the encoding, if letters are wrong."
_UNDAMAGED = "Find an undamaged copy of the text."
_ALIKE = "Otherwise compare the text with others that are without them too."
_AGAIN = "Open it in the program that made it and save it again."
_SPLIT = "Split it, or save its text as .txt."
_TRUSTED = "If you trust it, save its text as .txt."
_OCR = "Run OCR on it (text recognition) and save the text."
_CHANGES = "Accept or reject the changes in the original, if another version is wanted."
_LOOK = "Look at the original, if this matters."
_OWN_FILES = "Save them as files of their own to read them."
_BOILERPLATE = "Cut the passage if it is a heading, a signature or a licence and not the author's own text."
_LEAKAGE = "Exclude it from the corpus and train again; a model that knows the text cannot be asked who wrote it."
_ROW = "'{file}' has a {unit} that cannot be used ({unit} {number:,}): "
_GO_ON = "Correct it, or go on."
_SOURCES = "Correct it, or go on without it."
_SAY_SOURCES = "Say on the Corpus page which texts belong together, or give --sources."
_LOOK_LIKE = "{texts:,} texts without a source look as if they came from {names}"
_USE_SOURCES = "If they do, use it on the Corpus page, or give --sources '{how}'. If not, ignore it."
_PATTERN = r"Write one group for the source, as in '([^/]+)_\d+\.txt$', or the name of a CSV file."
_COMPARED = "Texts of different languages or kinds cannot be compared."

# What a file is that is no plain text, however it is called.
_KINDS = {
    "pdf": "a PDF document",
    "zip": "a zip archive (as .docx and .odt are)",
    "empty zip": "an empty zip archive",
    "png": "a PNG picture",
    "jpeg": "a JPEG picture",
    "gif": "a GIF picture",
    "program": "a program",
    "gzip": "a gzip archive",
    "xz": "an xz archive",
    "7z": "a 7z archive",
    "rar": "a RAR archive",
    "old office": "an old Office document",
    "database": "a database",
}

CATALOGUE: dict[str, tuple[str, str]] = {
    # The corpus as a whole
    "same-text-two-authors": (
        "The same text stands under {authors}: {texts}.",
        "Exclude it for all but its true author, or name the right author; training waits until then.",
    ),
    "duplicate": ("'{text}' by {author} is there {times} times; one is kept: {others} left out.", _NOTHING),
    "near-duplicate": (
        "Texts by {authors} share up to {share:.0%} of their wording: {texts}.",
        "Find out who wrote them, and exclude the copies.",
    ),
    "near-duplicate-same-author": (
        "{count:,} documents by {author} share at least half of their wording with another document by the same author.",
        "Leave out earlier versions of a text: near-copies make an author look easier to recognise.",
    ),
    "shared-opening": (
        "{texts:count} documents {authors:whose} begin with the same {words} words: {texts}.",
        _BOILERPLATE,
    ),
    "shared-closing": (
        "{texts:count} documents {authors:whose} end with the same {words} words: {texts}.",
        _BOILERPLATE,
    ),
    "one-author: one": (
        "The corpus has one author only: there is nobody to compare with.",
        "Add texts of other authors or of a population, or choose another layout if these are by several.",
    ),
    "one-author: none": (
        "The corpus has no author: there is nobody to compare with.",
        "Add texts of at least one other author.",
    ),
    "one-author: population": (
        "All authors are of the population: there is no candidate.",
        "Add texts of a candidate, or make some of the authors candidates.",
    ),
    "two-roles": (
        "Both among the candidates and in the population: {authors}.",
        "Give all texts of an author one role, or name the other person otherwise; training waits until then.",
    ),
    "similar-authors": (
        "The authors {authors} differ only in case or in how accents are stored; they count as different people.",
        "Give them one name if they are one person.",
    ),
    "single-document": (
        "With one document each, how well they are recognised is not estimable: {authors}.",
        "Add texts of these authors, or cut long ones into segments.",
    ),
    "unequal-counts": (
        "The authors have unequal numbers of documents, from {fewest:,} ({least}) to {most:,} ({first}).",
        "Add texts of those with few, or use at most so many of each author in training.",
    ),
    "leakage: whole": ("The disputed text is also in the corpus: {texts}.", _LEAKAGE),
    "leakage: part": ("The disputed text is, to {share:.0%} of its wording, also in the corpus: {texts}.", _LEAKAGE),
    "nothing-read": (
        "No text could be read in the layout '{layout}' ({layout:sentence}){quoted}",
        "Choose another folder or layout.",
    ),
    "sources-silent": (
        "'{file}' says nothing of {count:,} of {total:,} texts, which keep the sources that they were found with.",
        "Name their sources too, if they have any.",
    ),
    "bad-sources: header": (
        "'{file}' has on line 1 no column for the text (file, path, title or text) and one for its source.",
        _SOURCES,
    ),
    "bad-sources: columns": (
        "The number of columns on line {line:,} of '{file}' is {columns}, not {header} as on the first line.",
        _SOURCES,
    ),
    "bad-sources: quotes": ("Line {line:,} of '{file}' cannot be taken apart into columns ({error}).", _SOURCES),
    "bad-sources: empty name": ("On line {line:,} of '{file}' the text or its source has no name.", _SOURCES),
    "bad-sources: long name": ("Line {line:,} of '{file}' has a name of more than {limit:,} characters.", _SOURCES),
    "bad-sources: lines": ("'{file}' has more than {limit:,} lines.", _SOURCES),
    "bad-sources: encoding": ("Line {line:,} of '{file}' is not in UTF-8.", "Save it as UTF-8."),
    "bad-sources: unknown text": (
        "Line {line:,} of '{file}' names '{name}', and no text is called so.",
        "Name the file as below the folder of the known texts, or the text by its title.",
    ),
    "bad-sources: several texts": (
        "Line {line:,} of '{file}' names '{name}', and several texts are called so.",
        "Name the file with its folders, as below the folder of the known texts.",
    ),
    "bad-sources: no text": ("'{file}' names none of the texts that were read.", _SOURCES),
    "bad-sources: long pattern": (
        "'{file}' is no file that is there, and as a pattern it has more than {limit:,} characters.",
        _PATTERN,
    ),
    "bad-sources: no pattern": (
        "'{file}' is no file that is there, and as a pattern it cannot be read ({error}).",
        _PATTERN,
    ),
    "bad-sources: groups": (
        "'{file}' is no file that is there, and as a pattern it has {groups} groups, of which none is called source.",
        _PATTERN,
    ),
    "bad-sources: no match": ("'{file}' is no file that is there, and as a pattern it finds nothing.", _PATTERN),
    f"{ONE_SOURCE}: numbers": (f"{_LOOK_LIKE} (their names are numbered).", _USE_SOURCES),
    f"{ONE_SOURCE}: overlaps": (f"{_LOOK_LIKE} (one begins with words from another).", _USE_SOURCES),
    f"{ONE_SOURCE}: names": (f"{_LOOK_LIKE} (they share names that no other author has).", _USE_SOURCES),
    SOURCES_NOT_KNOWN: (
        "What the known texts come from (a book, a thread, a kind) is not known, so there are no figures for a text from a new source.",
        _SAY_SOURCES,
    ),
    "source-missing": (
        "'{file}' can no longer be read; what was read before is kept.",
        "Put it back if the results are to be checked against it.",
    ),
    "source-changed": (
        "'{file}' has changed since it was read; results that rest on it are stale.",
        "Read the corpus again, or restore the file.",
    ),
    # One text
    "too-short": (
        "The text has {words:,} words, fewer than {fewest}; it cannot be the sole basis of an opinion.",
        "Add further texts of the same author, or join texts that belong together.",
    ),
    "empty": (
        "The text is empty: it holds nothing but white space or invisible characters, and is left out.",
        "Check whether the file was saved or exported as it should.",
    ),
    "very-long: characters": (
        "The text has {length:,} characters; the limit for one text is {limit:,}, and it is left out.",
        "Split it into the separate texts it holds.",
    ),
    "very-long: bytes": (
        "The text has {size:,.1f} million bytes; the limit for one text is {limit:g} million.",
        "Split the file into the separate texts it holds.",
    ),
    "no-words": (
        "The text has no letters, only digits, punctuation or symbols; nothing can be said about its author.",
        "Leave it out, or check that the right file was chosen.",
    ),
    "language: script": (
        f"The text is written mostly in {{script}} script, not in {{expected:language}}. {_COMPARED}",
        _NO_LANGUAGE,
    ),
    "language: other": (
        f"The text looks like {{found:language}}, not {{expected:language}}. {_COMPARED}",
        _NO_LANGUAGE,
    ),
    "language: unlike": (
        "The text does not read like running {expected:language}: it has too few of its common words. " + _COMPARED,
        _NO_LANGUAGE,
    ),
    "nul-bytes": (
        "NUL characters, kept in place as ␀ (the text goes on behind them): {count:,}, such as {examples:;}.",
        "Check how the file was made.",
    ),
    "zero-width": ("Zero-width characters: {count:,}, such as {examples:;}.", _PLACES),
    "bidi": ("Characters that change the direction of writing: {count:,}, such as {examples:;}.", _PLACES),
    "soft-hyphen": ("Soft hyphens: {count:,}, such as {examples:;}.", _PLACES),
    "invisible": ("Other invisible characters: {count:,}, such as {examples:;}.", _PLACES),
    "control": (
        "Control characters: {count:,}, such as {examples:;}.",
        "Check the encoding and how the file was made.",
    ),
    "lost-characters": (
        "Replacement characters, each for one that was lost: {count:,}, such as {examples:;}.",
        _UNDAMAGED,
    ),
    "mojibake": (
        "Characters that were read in a wrong encoding, so that each has become several: {count:,}, such as {examples:;}.",
        f"{_UNDAMAGED} If an encoding was chosen for the file, choose another.",
    ),
    "question-marks": (
        "Question marks where letters, quotes or apostrophes must have stood, lost in a conversion: {count:,}, such as {examples:;}.",
        _UNDAMAGED,
    ),
    "no-accents": (
        "The text has {words:,} words of {language:language} and not one accented letter: they were lost in a conversion, or typed "
        "without.",
        f"{_UNDAMAGED} {_ALIKE}",
    ),
    "no-apostrophes: spaced": (
        "Blanks where apostrophes must have stood, lost in a conversion: {count:,}, such as {examples:;}.",
        _UNDAMAGED,
    ),
    "no-apostrophes: joined": (
        "The text has no apostrophes, not even in words that need one: {count:,}, such as {examples:;}. They were lost in a conversion, "
        "or the writer leaves them out.",
        f"Look at the original. {_ALIKE}",
    ),
    "mixed-script: look-alikes": (
        "Words with letters of another script that look alike: {count:,}, such as {examples:;}.",
        _PLACES,
    ),
    "mixed-script: scripts": ("Words that mix scripts: {count:,}, such as {examples:;}.", "Look at the words."),
    "quoted-text": (
        "Passages that look like quoted or forwarded mail, which is another author's text: {passages:,} ({share:.0%} of the text).",
        "Choose the cleaning steps for quoted and forwarded mail, or mark the passages by hand.",
    ),
    # Bytes as text
    "undecodable: byte": (
        "The file cannot be read as {encoding}: the byte at offset {offset:,} does not fit.",
        _CHOOSE,
    ),
    "undecodable: half characters": ("The file cannot be read as {encoding}: it yields half characters.", _CHOOSE),
    "undecodable: mixed": (
        "The file mixes UTF-8 with another encoding; the first byte that is not UTF-8 is at offset {offset:,}.",
        _CHOOSE,
    ),
    "undecodable: unlikely": (
        "The file is neither UTF-8 (see the byte at offset {offset:,}) nor likely to be Windows-1252.",
        _CHOOSE,
    ),
    "undecodable: neither": (
        "The file is neither UTF-8 (see the byte at offset {offset:,}) nor Windows-1252 (see offset {other:,}).",
        _CHOOSE,
    ),
    "not-text: binary": ("The file holds control characters as only binary data do; it is not a text.", _TRUE_TYPE),
    **{f"not-text: {kind}": (f"The file is {words}, not a plain text.", _TRUE_TYPE) for kind, words in _KINDS.items()},
    "encoding-proposed: utf-16": (
        "The file does not say its encoding and is not UTF-8; it was read as UTF-16 without a byte order mark. This is a proposal.",
        "Confirm or choose another encoding.",
    ),
    "encoding-proposed: cp1252": (
        "The file does not say its encoding and is not UTF-8; it was read as Windows-1252, on which {characters:,} characters depend. "
        "This is a proposal.",
        "Confirm or choose another encoding.",
    ),
    "encoding-proposed: table": (
        "'{file}' is not in UTF-8; it was read as {encoding}.",
        "Look at its accents and quotation marks; choose another encoding if they are wrong.",
    ),
    "encoding-proposed: windows": ("Declared as {declared}, but read as Windows-1252.", _LETTERS),
    "encoding-proposed: utf-8": (
        "Declared as '{declared}', which does not fit; it is valid UTF-8 and was read so.",
        _LETTERS,
    ),
    "encoding-proposed: misfit": ("Declared as '{declared}', which does not fit; Windows-1252 is proposed.", _LETTERS),
    "encoding-proposed: undeclared": ("No encoding is declared; Windows-1252 is proposed.", _LETTERS),
    "encoding-proposed: xml": ("No encoding is declared and it is not UTF-8; Windows-1252 is proposed.", _LETTERS),
    # Files and folders
    "not-read": ("{error}", "Correct it, or leave it out."),
    "unreadable: place": ("'{file}' cannot be opened ({reason}).", "Choose another folder."),
    "unreadable: no name": ("That is not the name of a file or folder.", "Choose another one."),
    "unreadable: neither": ("'{file}' is neither a file nor a folder.", "Choose another one."),
    "unreadable: folder": ("'{file}' cannot be opened ({reason}).", _RIGHT),
    "unreadable: entry": ("'{file}' cannot be looked at ({reason}).", _RIGHT),
    "unreadable: bytes": ("{named}It cannot be read ({reason}).", _LEAVE),
    "unreadable: its name": ("{named}Its name cannot be opened by this system.", _LEAVE),
    "unreadable: no file": ("{named}It is no ordinary file (a folder, pipe or device) and is not read.", _LEAVE),
    "unreadable: table": ("'{file}' cannot be read ({reason}).", ""),
    "unreadable: to its end": ("'{file}' cannot be read to its end ({reason}).", ""),
    "unreadable: failed": (
        "'{file}' cannot be read: the process that read it failed, as with damaged or hostile files.",
        _TRUSTED,
    ),
    "unreadable: no answer": ("'{file}' cannot be read: the process that read it gave no sensible answer.", _TRUSTED),
    "too-large: bytes": ("{named}It has {size:,} bytes; the limit is {limit:,}.", "Split it into smaller files."),
    "too-large: growing": (
        "{named}It has more than {limit:,} bytes, which is the limit.",
        "Split it into smaller files.",
    ),
    "too-large: table": ("'{file}' has {size:,} bytes; the limit is {limit:,}.", "Split it."),
    "too-large: line": ("'{file}' has a line of more than {limit:,} characters.", ""),
    "too-large: array": ("'{file}' has {size:,} bytes; a JSON array may have {limit:,}.", "Save it as JSON Lines."),
    "too-deep": ("'{file}' lies too many folders deep and is not read.", "Move it up."),
    "similar-names": (
        "{names:all} differ only in case or in how accents are stored; they are kept apart.",
        "Check that they are meant to be different; rename one if they are the same.",
    ),
    "symlink-broken": ("'{file}' is a link that leads nowhere ({reason}).", "Remove the link."),
    "symlink-outside": (
        "'{file}' is a link out of the folder and is not followed.",
        "Copy what it points to into the folder if it belongs to the corpus.",
    ),
    "symlink-folder": ("'{file}' is a link to a folder and is not followed.", _NOTHING),
    "not-a-file": ("'{file}' is no ordinary file (a pipe or device) and is not opened.", "Remove it."),
    # Layouts
    "no-author: beside": (
        "'{file}' lies beside the folders of the authors, so nobody is named as its author; it is not read.",
        "Move it into the folder of its author.",
    ),
    "no-author: inside": ("'{file}' lies in a folder inside and is not read.", "Move it up if it belongs here."),
    "no-author: unnamed": ("'{file}' does not name its author before an underscore.", "Rename it Author_Title."),
    "not-a-table": ("'{file}' is no table with author and text and is not read.", _NOTHING),
    "not-meant": ("'{file}' has {rows:,} rows that are not used.", _NOTHING),
    "several-authors": ("'{file}' has {papers:,} papers by several authors, which are not used.", _NOTHING),
    "other-set": ("'{file}' is another set and is not read.", "Choose that file to read it."),
    "truncated": ("'{file}' ends inside mail {mail:,}, which is not read.", "Get it again."),
    "disputed-text": (
        "'{file}' is the disputed text of its problem and is not used for training.",
        "Open it as a disputed text.",
    ),
    "not-a-text": ("'{file}' is no known text of a problem and is not read.", _NOTHING),
    "bad-row: no author": (f"{_ROW}it names no author.", _GO_ON),
    "bad-row: encoding": (f"{_ROW}its text is not in {{encoding}}.", _GO_ON),
    "bad-row: quotes": (f"{_ROW}its quotation marks or its length are wrong ({{error}}).", _GO_ON),
    "bad-row: columns": (f"{_ROW}it has {{columns}} columns where the header has {{header}}.", _GO_ON),
    "bad-row: six columns": (f"{_ROW}it has {{columns}} columns instead of 6.", _GO_ON),
    "bad-row: no json": (f"{_ROW}it is no JSON.", _GO_ON),
    "bad-row: no object": (f"{_ROW}it is no JSON object.", _GO_ON),
    "bad-row: no text": (f"{_ROW}it has no text.", _GO_ON),
    "bad-row: no number": (f"{_ROW}its author is not a number, as in this set.", _GO_ON),
    "bad-row: no such file": (f"{_ROW}the file '{{name}}' is not in the folder.", _GO_ON),
    "bad-row: further": ("'{file}' has {rows:,} further rows that cannot be used.", "Check the file."),
    # File types: refusals
    "damaged: broken": ("'{file}' is damaged or cut off.", _AGAIN),
    "damaged: same names": ("'{file}' holds two files of the same name.", _AGAIN),
    "damaged: lacks a part": ("'{file}' lacks a part that every file of its kind has.", _AGAIN),
    "damaged: packing": ("'{file}' is packed in an unusual way.", _AGAIN),
    "damaged: middle": ("'{file}' ends in the middle: it is damaged or cut off.", _AGAIN),
    "damaged: no end": ("'{file}' lacks its end: it is damaged or cut off.", _AGAIN),
    "damaged: xml": ("'{file}' is not well-formed XML (line {line}, column {column}).", _AGAIN),
    "damaged: xml encoding": ("'{file}' is in an encoding that XML readers do not know.", _AGAIN),
    "too-large: characters": ("'{file}' holds more than {limit:,} characters of text.", _SPLIT),
    "too-large: size": ("'{file}' has {size:,.0f} MB; the limit is {limit:,.0f} MB.", _SPLIT),
    "too-large: entries": ("'{file}' holds more than {limit:,} files.", _SPLIT),
    "too-large: groups": ("'{file}' has groups more than {limit} deep inside each other.", _SPLIT),
    "too-large: elements": ("'{file}' has elements more than {limit} deep inside each other.", _SPLIT),
    "too-large: messages": ("'{file}' holds more than {limit:,} messages.", _SPLIT),
    "too-large: parts": ("'{file}' has messages or parts more than {limit} deep inside each other.", _SPLIT),
    "too-large: pages": ("'{file}' has more than {limit:,} pages.", _SPLIT),
    "wrong-type: rtf": ("'{file}' is not RTF, whatever its name says.", "Save it again as .rtf, .docx or .txt."),
    "wrong-type: pdf": ("'{file}' is not a PDF, whatever its name says.", "Save it again as .pdf or .txt."),
    "wrong-type: not word": ("'{file}' is an archive, but not a Word document.", "Save it as .docx, .odt or .txt."),
    "wrong-type: empty archive": ("'{file}' is an archive, but not a Word document.", "Save it again."),
    "wrong-type: not odt": ("'{file}' is an archive, but not an OpenDocument text.", "Save it as .odt or .txt."),
    "wrong-type: no text": ("'{file}' is an OpenDocument file, but not a text.", "Save its text as .odt or .txt."),
    "wrong-type: mailbox": ("'{file}' is not a mailbox.", "Export the messages again as .mbox or .eml."),
    "wrong-type: mail": ("'{file}' is not a mail message.", "Export it again from the mail program."),
    "no-text: mailbox": ("'{file}' holds no message that can be read.", "Save the messages one by one as .eml."),
    "no-text: message": (
        "'{file}' has no text of its own.",
        "Save what is attached as files of their own to read it.",
    ),
    "no-text: attached messages": (
        "'{file}' has no text of its own, only attached messages.",
        "Save what is attached as files of their own to read it.",
    ),
    "no-text-layer: pictures": ("'{file}' is a PDF of pictures: it has no text layer.", _OCR),
    "no-text-layer: letters": ("'{file}' has a text layer that does not say which letters it shows.", _OCR),
    "encrypted: password": ("'{file}' is protected with a password.", "Save a copy without the password."),
    "encrypted: or old": (
        "'{file}' is protected with a password, or is in the old Word format.",
        "Save a copy as .docx without a password.",
    ),
    "zip-bomb: ratio": (
        "'{file}' would unpack to {size:,.0f} MB, which no real document of its size does.",
        _TRUSTED,
    ),
    "zip-bomb: size": ("'{file}' would unpack to {size:,.0f} MB.", _TRUSTED),
    "dtd": (
        "'{file}' contains a DTD, by which files attack the programs that read them.",
        "Remove the DOCTYPE part, or save the text as .txt.",
    ),
    "entity": (
        "'{file}' uses a named character that is defined outside the file (line {line}).",
        "Save it with the characters themselves.",
    ),
    "encoding": (
        "'{file}' is in an encoding that it does not name and that we do not recognise.",
        "Save it again as UTF-8.",
    ),
    "limit: time": ("'{file}' was given up: reading it takes more than {seconds:g} seconds.", _TRUSTED),
    "limit: memory": ("'{file}' was given up: reading it takes more than {megabytes:,} MB of memory.", _TRUSTED),
    "unknown-type: word": (
        "'{file}' is in the old Word format.",
        "Open it in Word or LibreOffice and save it as .docx.",
    ),
    "unknown-type: book": (
        "'{file}' is an electronic book.",
        "Convert it to .html or .txt, for instance with Calibre.",
    ),
    "unknown-type: picture": (
        "'{file}' is a picture.",
        "Run OCR on it (text recognition) and save the text as .txt.",
    ),
    "unknown-type: archive": ("'{file}' is an archive.", "Unpack it and choose the folder."),
    "unknown-type: table": (
        "'{file}' is a spreadsheet.",
        "Save it as .csv, with a column for the author and one for the text.",
    ),
    "unknown-type: slides": ("'{file}' is a presentation.", "Save its text as .txt."),
    "unknown-type: other": ("'{file}' is in a format of one program only.", "Save it there as .docx, .odt or .txt."),
    "unknown-type: outlook": (
        "'{file}' is in a format of Outlook only.",
        "Save or export the messages as .eml or .mbox.",
    ),
    "unknown-type: web archive": ("'{file}' is a web archive.", "Save the page as .html."),
    "unknown-type: unknown": (
        "'{file}' is of a type that is not read.",
        f"Save it as one of these: {', '.join(sorted(FORMATS))}.",
    ),
    # File types: what was left out or is doubtful
    "tracked-insertions": ("Tracked insertions, kept in the text: {count:,}.", _CHANGES),
    "tracked-deletions": ("Tracked deletions, left out: {count:,}.", _CHANGES),
    "revisers": ("Persons who made tracked changes: {count:,}.", "Check that the text is of one author."),
    "comments": ("Comments, left out: {count:,}.", _LOOK),
    "hidden-text": ("Hidden passages, left out: {count:,}.", _LOOK),
    "footnotes": ("Footnotes and endnotes, kept in reading order: {count:,}.", ""),
    "headers-footers": ("Page headers and footers, left out: {count:,}.", ""),
    "text-boxes": ("Text boxes, kept after the paragraph they belong to: {count:,}.", ""),
    "formulas": ("Formulas, left out: {count:,}.", ""),
    "symbols": ("Characters of symbol fonts, left out: {count:,}.", _LOOK),
    "embedded": ("Embedded documents or objects, not read: {count:,}.", _OWN_FILES),
    "open-fields": ("Fields without an end, after which text may be missing: {count:,}.", _LOOK),
    "unknown-code-page": ("Passages in a code page we do not know, read as Windows-1252: {count:,}.", _LOOK),
    "undecodable": ("Characters that could not be decoded, replaced by U+FFFD: {count:,}.", _LOOK),
    "invisible-elements": ("Scripts, styles and other elements that are not text, left out: {count:,}.", ""),
    "remote-content": ("Links to content elsewhere (pictures, frames, styles), not fetched: {count:,}.", ""),
    "tei-notes": ("Notes of the edition, left out: {count:,}.", ""),
    "tei-deletions": ("Deletions marked in the edition, left out: {count:,}.", ""),
    "tei-speakers": ("Names of speakers, stage directions and page furniture, left out: {count:,}.", ""),
    "tei-editorial": (
        "Corrections and normalisations by the editor, left out for the author's own form: {count:,}.",
        "",
    ),
    "entities": (
        "Named characters whose definition lies outside the file, read by their usual meaning: {count:,}.",
        _LOOK,
    ),
    "attachments": ("Attachments, not read: {count:,}.", _OWN_FILES),
    "attached-messages": ("Attached messages, not read: {count:,}.", _OWN_FILES),
    "cut-off": ("Messages that end before their last part does: {count:,}.", "Export them again, if text is missing."),
    "html-only": ("Messages with HTML only, read as text: {count:,}.", ""),
    "empty-messages": ("Messages without a text, left out: {count:,}.", ""),
    "unread-messages": ("Messages that cannot be read, left out: {count:,}.", "Save them one by one to see why."),
    "pages-without-text": (
        "Pages without a text layer, left out: {count:,}.",
        "Run OCR on the file, if they hold text.",
    ),
    "ligatures": ("Typographic ligatures (such as ﬁ), written as letters: {count:,}.", ""),
    "lone-surrogate": (
        "Half characters (lone surrogates) in the text were replaced by U+FFFD.",
        "Compare the text with the original.",
    ),
    "doubtful-text-layer": (
        "{share:.0%} of the characters of the text layer mean nothing.",
        "Compare the text with the pages.",
    ),
}
