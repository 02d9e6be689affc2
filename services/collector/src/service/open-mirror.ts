import { join } from 'node:path';
import { claimFolder } from '@ovn-steward/shared/claim-folder';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { LogMirror } from '../mirror/mirror';
import { sqliteMirror } from '../mirror/mirror-sqlite';

/**
 * The mirror of the settings' cluster, in a state directory that is that cluster's from now on.
 * @throws Failure `config-invalid` where it is another's, `state-corrupt`.
 */
export function openMirror({
  stateDir,
  cluster,
}: Pick<Settings, 'stateDir' | 'cluster'>): LogMirror {
  claimFolder(stateDir, cluster);
  return sqliteMirror(join(stateDir, 'collector.db'));
}
