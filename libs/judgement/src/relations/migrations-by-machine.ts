import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { defineRelation } from '../world/relation';

const ENDED = new Set(['Succeeded', 'Failed']);

/** Migrations that have not ended, by `<namespace>/<machine>`. */
export const migrationsByMachine = defineRelation({
  id: 'migrations-by-machine',
  kinds: ['VirtualMachineInstanceMigration'],
  keys: ({ namespace, object: { spec, status } }) =>
    ENDED.has(status?.phase ?? '') ? [] : [objectKey(namespace, spec?.vmiName ?? '')],
});
