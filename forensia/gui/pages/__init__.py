"""The five places of the window, one module for each and for its larger parts."""
