"""Referees: pure values that decide; no clock, no randomness, no input or output."""
