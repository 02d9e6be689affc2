import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, messageOf } from './errors';
import { PRIVATE_FILE } from './private-files';

/**
 * A state directory remembers one cluster: under another name everything would count as published
 * already.
 * @throws Failure `config-invalid`, also where the folder cannot be written.
 */
export function claimFolder(folder: string, cluster: string): void {
  const file = join(folder, 'cluster');
  const owner = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (owner === '') write(file, cluster);
  else if (owner !== cluster) throw ofAnotherCluster(folder, owner, cluster);
}

function write(file: string, cluster: string): void {
  try {
    writeFileSync(file, `${cluster}\n`, { mode: PRIVATE_FILE });
  } catch (error) {
    throw new Failure(
      'config-invalid',
      `${file} cannot be written: ${messageOf(error)}. Check the owner and mode of its folder, and the space on its disk.`,
      { cause: error },
    );
  }
}

/** A state directory was named together with a cluster that it does not belong to. */
export const ofAnotherCluster = (folder: string, owner: string, cluster: string): Failure =>
  new Failure(
    'config-invalid',
    `The state directory ${folder} belongs to the cluster ${owner}, not to ${cluster}: give --state-dir (the setting stateDir) another, or --cluster ${owner}.`,
  );
