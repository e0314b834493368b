"""UNO Tippo: two trays on a scale, Stop cards, spills and Tilt challenges."""
