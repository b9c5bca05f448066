"""What tests of several rooms share: `from support.NAME import …` in any test or conftest."""
