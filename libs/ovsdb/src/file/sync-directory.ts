import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Flushes the directory of that file, so that the file's new name outlasts a power failure, too.
 * @throws the system's error.
 */
export async function syncDirectoryOf(path: string): Promise<void> {
  const directory = await open(dirname(path), 'r');
  await directory.sync().finally(() => directory.close());
}
