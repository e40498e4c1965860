"""What the verbs show on a screen, made of blocks: drawn as plain text or by rich."""
