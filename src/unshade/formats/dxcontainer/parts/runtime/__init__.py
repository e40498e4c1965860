"""Records of the tables in runtime data (RDAT), by what they describe."""
