"""The states of a draw, in the words of Direct3D 12 and of Vulkan."""
