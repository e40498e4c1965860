"""Static analyses of kernels.

ranges       bounds of integers, and powers of two that divide them
uniformity   values that are the same in all lanes, or a fixed stride apart
counters     ranges of variables that count up to a constant
strides      the transfer functions of uniformity
liveness     live variables, and sets that need a mask
flow         assigned variables and early exits of statements
"""
