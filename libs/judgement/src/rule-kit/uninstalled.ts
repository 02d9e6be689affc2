import { uninstalledOf } from '@ovn-steward/shared/settings/uninstalled';
import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import { kubeOvnNetworks } from '../relations/kube-ovn-networks';
import { kubeOvnPods } from '../relations/kube-ovn-pods';
import { portsUp } from '../relations/ports-up';
import { type Cell, cell } from '../world/cell';

import type { ReadableWorld } from '../world/readable';
import { isBeingDeleted } from '../kube-ovn/deletion';

const ANY = 'any';
/** Without all of these nobody knows whether anything of Kube-OVN is alive. */
const KINDS = [
  'Logical_Switch_Port',
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'Subnet',
  'Vpc',
] as const;

/**
 * Why Kube-OVN cannot have been uninstalled here, whatever a person says. Undefined where nothing
 * speaks against it: no controller runs or is to run, no chassis holds a port of its up, no pod it
 * addressed lives, and every Subnet and Vpc that is left is being deleted. Its Lease is not visible
 * here: the executor checks that as well.
 */
export function signOfLife(
  world: ReadableWorld,
  onRead: (cell: Cell) => void = () => {},
  believed: (kind: string) => void = () => {},
): string | undefined {
  const has = (relation: string, key: string): boolean => {
    onRead(cell.some(relation, key));
    return world.hasRelated(relation, key);
  };
  // All are queried before any answer is used: a reader of the living systems sends them together.
  const runs = has(kubeOvnControllers.id, KUBE_OVN_CONTROLLER);
  const up = has(portsUp.id, ANY);
  const pod = has(kubeOvnPods.id, ANY);
  onRead(cell.relation(kubeOvnNetworks.id, ANY));
  const network = world.related(kubeOvnNetworks.id, ANY).find((it) => !isBeingDeleted(it));
  for (const kind of KINDS) believed(kind);
  const missing = KINDS.filter((kind) => !world.knows(kind));
  if (runs) return 'a kube-ovn-controller runs there, or is to run there';
  if (up) return 'chassis hold ports of Kube-OVN up';
  if (pod) return 'pods live there to which Kube-OVN gave their addresses';
  if (network) return `${network.kind} ${network.name} is there, and is not being deleted`;
  return missing.length > 0
    ? `without the complete ${missing.join(', ')} nobody knows whether it still runs`
    : undefined;
}

/**
 * Whether one of these statements is about what is held: the uid of namespace kube-system, and the
 * row of NB_Global where the statement names that.
 */
export function isStatementAbout(
  world: Pick<ReadableWorld, 'byKey' | 'entity'>,
  statements: readonly string[],
  onRead: (cell: Cell) => void = () => {},
): boolean {
  if (statements.length === 0) return false;
  onRead(cell.key('Namespace', 'kube-system'));
  const uid = world.byKey('Namespace', 'kube-system').at(-1)?.uid;
  return statements.map(uninstalledOf).some(({ northbound, kubernetes }) => {
    const form = northbound.slice(0, northbound.indexOf(':'));
    const id = northbound.slice(northbound.indexOf(':') + 1);
    // The id of a raft cluster stands in no row.
    if (form === 'nb') onRead(cell.uid(id));
    return kubernetes === uid && (form === 'cid' || world.entity('NB_Global', id) !== undefined);
  });
}
