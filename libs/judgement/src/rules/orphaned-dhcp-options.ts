import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { tryParseCidr } from '../kube-ovn/cidr';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { switchesByName } from '../relations/switches-by-name';
import type { Entity } from '../world/entity';
import { referenceTo } from '../world/entity';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absent, absentRow, present, unchanged, unreferenced, value } from '../rule-kit/facts';
import type { View } from '../rule-kit/view';

/** Whose ports are called after them; an instance need not be of a machine. */
const USERS = ['Pod', 'VirtualMachine', 'VirtualMachineInstance'] as const;

/**
 * DHCP options of a subnet that is deleted, with its switch and all ports, or of one port that is
 * deleted.
 *
 * From v1.16 on the controller removes them only when it handles the subnet's deletion itself
 * (kube-ovn.md §4.3, row 47), and those of one port only when it removes that port itself (§3.1): a
 * port that was removed in another way leaves them. It makes them before the port, which may fail for
 * long (`reconcileAllocateSubnets`, pkg/controller/pod.go): while there is a pod, the port may come.
 * Those of a family that a living Subnet no longer has stay as well.
 */
export default defineRule({
  id: 'orphaned-dhcp-options',
  class: 'garbage',
  severity: 'info',
  subject: 'DHCP_Options',
  reads: [...USERS, 'Subnet', 'Logical_Switch', 'Logical_Switch_Port'],
  about:
    'DHCP options of a Subnet, or of one port, that no longer exists, or of a family that the Subnet no longer has. No port uses them. From v1.16 on a restart does not remove them.',
  remedy: 'delete-dhcp-options',

  check(options, view) {
    const left = leftOf(options, view);
    if (!left) return healthy;
    const living = left.users.find(({ kind, key }) => view.presence(kind, key) !== 'absent');
    if (living !== undefined)
      return unknown(
        `${left.reason}, but ${living.kind} ${living.key} exists or may exist, and may still get it`,
      );
    const owner = view.ownership(options);
    if (owner.verdict !== 'candidate') return healthy;
    const user = view.referrers(options)[0];
    if (user) return unknown(`${left.reason}, yet port ${user.name} uses its DHCP options`);

    return violation({
      summary: `DHCP options ${String(options.object['cidr'] ?? '')} are of ${left.of}`,
      owner,
      proof: [
        ...left.proof,
        unreferenced(options),
        value(options, 'external_ids', JSON.stringify(options.object.external_ids)),
        unchanged(options),
      ],
      remedy: {
        action: 'delete-dhcp-options',
        target: referenceTo(options),
        advice: 'delete the DHCP options; no port has them',
      },
    });
  },
});

type Consulted = View<'Subnet' | 'Logical_Switch' | 'Logical_Switch_Port'>;
type User = { readonly kind: (typeof USERS)[number]; readonly key: string };

/** What the options were for, and why they are for nothing any more. */
interface Left {
  readonly of: string;
  readonly reason: string;
  /** Who may still get them. */
  readonly users: readonly User[];
  readonly proof: readonly Fact[];
}

function leftOf(options: Entity<'DHCP_Options'>, view: Consulted): Left | undefined {
  const { ls: subnet = '', port = '' } = options.object.external_ids ?? {};
  if (subnet === '') return undefined;
  if (port !== '' && view.presence('Logical_Switch_Port', port) === 'absent') {
    const users = usersOf(port);
    return {
      of: `port ${port}, which no longer exists`,
      reason: `port ${port} does not exist`,
      users,
      proof: [
        absentRow('Logical_Switch_Port', port),
        ...users.map(({ kind, key }) => absent(kind, key)),
      ],
    };
  }
  const found = view.get('Subnet', subnet);
  if (found) return port === '' ? ofFormerFamily(options, found) : undefined;
  if (view.presence('Subnet', subnet) === 'present' || view.has(switchesByName, subnet))
    return undefined;
  return {
    of: `Subnet ${subnet}, which no longer exists`,
    reason: `neither Subnet nor switch ${subnet} exists`,
    users: [],
    proof: [absent('Subnet', subnet), absentRow('Logical_Switch', subnet)],
  };
}

/**
 * Of a Subnet that had two families and has one: each change writes, or deletes, those of the
 * families that it has now (`UpdateDHCPOptions`, pkg/ovs/ovn-nb-dhcp_options.go, v1.12 to v1.17).
 */
function ofFormerFamily(
  { object }: Entity<'DHCP_Options'>,
  subnet: Entity<'Subnet'>,
): Left | undefined {
  const blocks = (subnet.object.spec?.cidrBlock ?? '').split(',').map((it) => it.trim());
  const families = blocks.map((it) => tryParseCidr(it)?.range.family);
  const family = tryParseCidr(String(object['cidr'] ?? ''))?.range.family;
  if (family === undefined || [undefined, family].some((it) => families.includes(it)))
    return undefined;
  if (isBeingDeleted(subnet)) return undefined;
  const reason = `Subnet ${subnet.name} has no IPv${family} addresses`;
  return {
    of: `Subnet ${subnet.name}, which has no IPv${family} addresses any more`,
    reason,
    users: [],
    proof: [present(subnet), value(subnet, 'spec.cidrBlock', subnet.object.spec!.cidrBlock!)],
  };
}

/**
 * What a port of that name may serve. It is called `<pod>.<namespace>`, with `.<provider>` behind on
 * an attached network (`PodNameToPortName`, pkg/ovs/util.go), and a machine's after the machine. A
 * pod's name may have dots, a namespace's has none.
 */
function usersOf(port: string): User[] {
  const parts = port.split('.');
  const keys = parts
    .slice(1)
    .map((namespace, index) => `${namespace}/${parts.slice(0, index + 1).join('.')}`);
  return USERS.flatMap((kind) => keys.map((key) => ({ kind, key })));
}
