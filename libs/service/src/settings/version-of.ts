import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the package whose `dist` (or `src`) folder this is. */
export const packageVersion = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8')) as { version: string })
    .version;
