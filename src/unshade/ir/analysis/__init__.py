"""What can be known of a kernel without running it.

ranges     between which numbers an integer lies, and what divides it
shapes     which values are the same in all lanes, or a fixed step apart
liveness   which variables are read again, and which sets need a mask
bits       which float results are looked at as bits
"""
