import type { SourceType } from '../../source-kit/source-type';
import { recordingApart } from './recording-apart';

/** A recording of a cluster's Kubernetes objects: a file or a folder (docs/recordings.md). */
export const recordedKubernetes: SourceType<'kubernetes'> = {
  forms: 'a dump (file or folder, see docs/recordings.md)',
  isLive: false,
  accepts: (where) => where !== undefined,
  open: ({ where, replay }) => recordingApart({ path: where!, replay }),
};
