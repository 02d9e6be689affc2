import { join } from 'node:path';

/** The one place that knows where this package lies in the repository. */
const REPOSITORY = join(__dirname, '..', '..', '..');

export const RECORDINGS = ['leaky', 'clean', 'shared-neutron'] as const;

export type RecordingName = (typeof RECORDINGS)[number];

/** The path of a file of a recorded cluster in examples/recordings. */
export const recording = (name: RecordingName, file: string): string => join(REPOSITORY, 'examples', 'recordings', name, file);
