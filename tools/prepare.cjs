// Filled in by the workspace tooling.
