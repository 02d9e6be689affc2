import { join } from 'node:path';

/** The command line as it was built last. */
export const STEWARD = join(__dirname, '..', '..', 'apps', 'steward', 'bin', 'steward.cjs');
