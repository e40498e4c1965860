"""Values of the caller and of the kernel: names, arrays, buffers, textures and samplers."""
