"""The case file: SQLite store, audit log, verification."""
