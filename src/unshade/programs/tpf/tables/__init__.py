"""What is looked up: operations, the bits of tokens, enumerations, and how listings spell them."""
