import { portsByName } from '../relations/ports-by-name';
import { switchesByName } from '../relations/switches-by-name';
import { referenceTo } from '../world/entity';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absent, absentRow, unchanged, unreferenced, value } from '../rule-kit/facts';

/**
 * DHCP options of a subnet that is deleted, with its switch and all ports, or of one port that is
 * deleted.
 *
 * From v1.16 on the controller removes them only when it handles the subnet's deletion itself
 * (kube-ovn.md §4.3, row 47), and those of one port only when it removes that port itself (§3.1): a
 * port that was removed in another way leaves them. It makes them before the port, which may fail for
 * long (`reconcileAllocateSubnets`, pkg/controller/pod.go): while there is a pod, the port may come.
 */
export default defineRule({
  id: 'orphaned-dhcp-options',
  class: 'garbage',
  severity: 'info',
  subject: 'DHCP_Options',
  reads: ['Pod', 'VirtualMachine', 'Subnet', 'Logical_Switch', 'Logical_Switch_Port'],
  about:
    'DHCP options of a Subnet, or of one port, that no longer exists. No port uses them. From v1.16 on a restart does not remove them.',
  remedy: 'delete-dhcp-options',

  check(options, view) {
    const { ls: subnet = '', port = '' } = options.object.external_ids ?? {};
    if (subnet === '') return healthy;
    const portIsGone = port !== '' && !view.has(portsByName, port);
    if (
      !portIsGone &&
      (view.presence('Subnet', subnet) === 'present' || view.has(switchesByName, subnet))
    )
      return healthy;
    const users = portIsGone ? usersOf(port) : [];
    const living = users.find(({ kind, key }) => view.presence(kind, key) !== 'absent');
    if (living !== undefined)
      return unknown(
        `port ${port} does not exist, but ${living.kind} ${living.key} exists or may exist, and may still get it`,
      );
    const owner = view.ownership(options);
    if (owner.verdict !== 'candidate') return healthy;
    const user = view.referrers(options)[0];
    if (user)
      return unknown(
        `${portIsGone ? `port ${port} does not exist` : `neither Subnet nor switch ${subnet} exists`}, yet port ${user.name} uses its DHCP options`,
      );

    return violation({
      says: `DHCP options ${String(options.object['cidr'] ?? '')} are of ${portIsGone ? `port ${port}` : `Subnet ${subnet}`}, which no longer exists`,
      owner,
      proof: [
        ...(portIsGone
          ? [
              absentRow('Logical_Switch_Port', port),
              ...users.map(({ kind, key }) => absent(kind, key)),
            ]
          : [absent('Subnet', subnet), absentRow('Logical_Switch', subnet)]),
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

/**
 * What a port of that name may serve. It is called `<pod>.<namespace>`, with `.<provider>` behind on
 * an attached network (`PodNameToPortName`, pkg/ovs/util.go), and a machine's after the machine. A
 * pod's name may have dots, a namespace's has none.
 */
function usersOf(
  port: string,
): { readonly kind: 'Pod' | 'VirtualMachine'; readonly key: string }[] {
  const parts = port.split('.');
  const keys = parts
    .slice(1)
    .map((namespace, index) => `${namespace}/${parts.slice(0, index + 1).join('.')}`);
  return (['Pod', 'VirtualMachine'] as const).flatMap((kind) => keys.map((key) => ({ kind, key })));
}
