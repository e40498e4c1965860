"""Direct3D 9 programs: the tokens of Shader Model 1 to 3."""
