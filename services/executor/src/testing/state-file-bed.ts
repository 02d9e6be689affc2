import { openStateFile, type StateFile } from '@ovn-steward/shared/log/state-file';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A state file of its own for each test of the file that calls this.
 * @param onOpen is called with it before each test, and by `reopen`.
 */
export function stateFileBed(onOpen: (file: StateFile) => void): {
  /** As after a restart of the process. */
  reopen(): void;
} {
  let directory: string;
  let file: StateFile;
  const open = (path: string): void => {
    file = openStateFile(path);
    onOpen(file);
  };
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'executor-'));
    open(join(directory, 'executor.db'));
  });
  afterEach(() => {
    file.close();
    rmSync(directory, { recursive: true });
  });
  return {
    reopen() {
      file.close();
      open(file.path);
    },
  };
}
