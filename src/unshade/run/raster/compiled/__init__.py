"""Drawing in machine code: what the arrays of the folder above do, with the same bits.

    setup         vertices ── triangles on the screen
    coverage      triangles ── the quads of pixels that they cover
    depth_test    quads ── the samples that pass the tests of depth and stencil, in order
    attributes    quads ── the inputs of the pixel shader
    merging       the outputs of the pixel shader ── blending ── targets
    shading       the quads of a chunk, some at a time, in threads
    drawing       whether a draw is one of these, and the order of the steps

The functions are generated for the state of a draw (vm/jit/written.py). They are for the most usual
draws: triangles, lines and points with one sample, into common formats. Everything else is drawn by
the folder above, which is also what defines the result.
"""
