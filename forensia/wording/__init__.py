"""Every sentence that is made of codes and values: what was found in words, for all who read it."""
