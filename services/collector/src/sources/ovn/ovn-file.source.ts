import { isOvsdbRemote } from '@ovn-steward/systems/ovn/is-ovsdb-remote';
import type { OvnDatabaseId } from '@ovn-steward/systems/ovn/selection';
import type { SourceType } from '../../source-kit/source-type';
import { createOvnFileSource } from './ovn-file';
import { createOvnHistorySource } from './ovn-history';

/** The file of an OVN database: its last state, or the transactions that it still holds. */
export const ovnFile: SourceType<OvnDatabaseId> = {
  forms: 'a database file, a backup',
  isLive: false,
  accepts: (where) => !isOvsdbRemote(where),
  open: ({ system, where, replay }) =>
    replay === 'final'
      ? createOvnFileSource({ id: system, path: where })
      : createOvnHistorySource({ id: system, path: where }),
};
