import { join } from 'node:path';

/** The one place that knows where this package lies in the repository. */
const REPOSITORY = join(__dirname, '..', '..', '..');

/** A file of a recorded cluster in examples/recordings. */
export const recording = (name: 'leaky' | 'clean' | 'shared-neutron', file: string): string =>
  join(REPOSITORY, 'examples', 'recordings', name, file);
