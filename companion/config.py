"""The settings of the companion: where it keeps its files and how the table likes to play."""
