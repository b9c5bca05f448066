"""The parts of the report, one module each; `forensia.report.make` has their order."""
