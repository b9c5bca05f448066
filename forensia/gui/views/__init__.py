"""What the pages are made of: each view shows one side of an answer, and knows neither files nor threads."""
