"""A table without a table: physics, chips, people and faults, all seeded."""
