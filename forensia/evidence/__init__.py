"""Scores into what may be said: cross-fitting, calibration, measures, explanation, opinion."""
