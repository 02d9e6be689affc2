import { z } from 'zod';
import { PROGRAMS } from './programs';
import { chartValue, section } from './value-kit';

const Digest = z
  .string()
  .regex(/^(?:sha256:[0-9a-f]{64})?$/, 'not a digest: sha256: and 64 hexadecimal digits');

/** One for each image: a registry that changes a tag changes nothing that runs. */
export const Digests = section(
  Object.fromEntries(PROGRAMS.map((it) => [it, chartValue(Digest, '', `Of \`${it}\`.`)])),
  'Their digests, `sha256:…`. A digest is used in the place of the tag.',
);
