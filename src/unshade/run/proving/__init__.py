"""Two shaders run on the same seeded arguments: `unshade.prove`."""

from .proof import Proof, ProofDifference, loop_budget, prove

__all__ = ["Proof", "ProofDifference", "loop_budget", "prove"]
