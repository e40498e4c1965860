"""Two shaders run on the same seeded arguments: `unshade.prove`."""

from .proof import Proof, ProofDifference, prove

__all__ = ["Proof", "ProofDifference", "prove"]
