import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './errors';
import { PRIVATE_FILE } from './private-files';

/**
 * A state directory remembers one cluster: under another name everything would count as published
 * already.
 * @throws Failure `config-invalid`.
 */
export function claimFolder(folder: string, cluster: string): void {
  const file = join(folder, 'cluster');
  const owner = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (owner === '') writeFileSync(file, `${cluster}\n`, { mode: PRIVATE_FILE });
  else if (owner !== cluster)
    throw new Failure(
      'config-invalid',
      `The state directory ${folder} belongs to the cluster ${owner}, not to ${cluster}: give --state-dir (the setting stateDir) another, or --cluster ${owner}.`,
    );
}
