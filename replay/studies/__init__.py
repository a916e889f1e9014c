"""Studies (`engine.study`) as people make them: played by many, kept on disk, in tables, drawn.

`playing` hands out the pieces, `kept` is the file in which an interrupted study goes on, `rows` is
what is printed, and `plot` draws it.
"""
