"""Comparison and budgets of shaders, independent of formats: based on model, parts and programs."""
