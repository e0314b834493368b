"""The simulated table: physics, chips, people and their faults, seeded and apart from the judge.

It never knows how the scale is judged: nothing here imports `companion.scale` or the table.
"""
