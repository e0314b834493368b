"""The stealing and battle variant: identical cards steal the turn, draw cards pile up."""
