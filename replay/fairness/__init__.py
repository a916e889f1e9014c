"""Are the shuffles of saved games random?  What can be told about them without any secret.

In this protocol every shuffle is proven, and random as soon as one seat shuffled at random; so this
is a check on the random generators of the seats.  `observed` reads what became known, `numbers`,
`order` and `tables` are the statistics, and `judging` says what follows from them.
"""
