"""The durable, append-only memory of every game, in SQLite."""
