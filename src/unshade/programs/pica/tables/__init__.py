"""What is looked up: operations, the bits of words, registers and how texts spell them."""
