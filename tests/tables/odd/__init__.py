"""Odd tables: labelled sensor traces of another make than the project's own simulator.

Nothing here knows `sim` or how the judge decides; the signals are drawn from envelopes seen on
real kitchen scales, not from a model of the beam.
"""
