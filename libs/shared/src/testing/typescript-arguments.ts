import { join } from 'node:path';

/**
 * Arguments for a `node` that a test starts, which then loads our TypeScript without a build, the
 * other parts included.
 */
export const TYPESCRIPT_ARGUMENTS: readonly string[] = [
  '--conditions=@ovn-steward/source',
  '--require',
  join(__dirname, '../../../../tools/lib/typescript.cjs'),
];
