"""The scale on the workbench: `tippo calibrate` and `tippo doctor`.

Nobody plays here, and nothing here knows of a game.
"""
