import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { defineRelation } from '../world/relation';

const SUFFIX = '.kubernetes.io/virtualmachine';

/**
 * Launcher pods by `<namespace>/<machine>`. Kube-OVN records on them whose name their ports bear,
 * so a machine's port is in use while a launcher runs, even after the machine's own objects are
 * deleted (kube-ovn.md §2, §4.17).
 */
export const podsByMachine = defineRelation({
  id: 'pods-by-machine',
  kinds: ['Pod'],
  keys: ({ namespace, object: { metadata } }) =>
    Object.entries(metadata.annotations ?? {}).flatMap(([key, machine]) =>
      key.endsWith(SUFFIX) && machine !== '' ? [objectKey(namespace, machine)] : [],
    ),
});
