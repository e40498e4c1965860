"""Records of the tables in runtime data (RDAT), by subject."""
