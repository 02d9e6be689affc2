import { join } from 'node:path';
import { REPOSITORY } from './place';

export const RECORDINGS = ['leaky', 'clean', 'shared-neutron'] as const;

export type RecordingName = (typeof RECORDINGS)[number];

/** The path of a file of a recorded cluster in examples/recordings. */
export const recording = (name: RecordingName, file: string): string =>
  join(REPOSITORY, 'examples', 'recordings', name, file);
