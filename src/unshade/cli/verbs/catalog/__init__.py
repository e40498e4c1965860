"""The verbs of `unshade catalog`, one module each."""
