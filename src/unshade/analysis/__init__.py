"""What is said across formats: it reads `model`, parts and programs, and knows no format."""
