"""Recorded tables: the folder's files, writing one during a game, replaying and drawing it.

It never talks to a board and never decides anything: the judge and the table do, in trace time.
"""
