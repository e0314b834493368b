"""The journal: everything that was told, sensed and ruled, durable before it is shown.

It only ever grows, and it never judges what it keeps.
"""
