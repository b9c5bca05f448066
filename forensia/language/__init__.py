"""Text into tokens, sentences and tags: the embedded spaCy pipeline, the function words, the cache."""
