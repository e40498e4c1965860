"""A kernel under the debugger: its trace, breakpoints, frames and findings."""
