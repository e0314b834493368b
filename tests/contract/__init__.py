"""One suite for each port, run over every backend that implements it."""
