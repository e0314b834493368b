"""Sensed readings become what happened on the trays. Pure: time comes with the sample."""
