"""What is done with a case: the one way in for the command line, the window and a notebook."""
