"""The report: what a case says in numbers, sections that make blocks of it, and the PDF (fpdf2) in which they are set."""
