"""Forensia: who wrote this text?"""

__version__ = "0.1.0"
