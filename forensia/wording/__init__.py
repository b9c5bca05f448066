"""Every sentence about a number, made from codes and values in one place for terminal, window and report. Pure: nothing here computes."""
