"""Programs as text: upstream's description, and source that compiles again."""
