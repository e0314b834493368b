"""The one loop: polls the devices, steps the table, writes the journal, paints the display."""
