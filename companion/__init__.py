"""The companion of a UNO Tippo table: senses the scale, referees, remembers, shows."""
