"""Forensia: who wrote this text?"""

__version__ = "0.2.0"
