"""Properties are about numbers, not about how busy the machine is: no deadline for a single example."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("no_deadline", deadline=None)
settings.load_profile("no_deadline")
