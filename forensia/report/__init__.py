"""Figures (matplotlib) and the PDF (fpdf2)."""
