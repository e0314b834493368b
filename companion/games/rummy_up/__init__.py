"""UNO Rummy Up: runs and sets on one board that everybody may rearrange."""
