import { formatIp, type Ip, tryParseIp } from '@ovn-steward/shared/address';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { isAlive, type PodNetwork, podNetworks } from '../kube-ovn/pod-networks';
import { portAddresses } from '../relations/ports-by-address';
import { present, value } from '../rule-kit/facts';
import { recordedAddresses } from '../rule-kit/kept-address';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { type Entity, keyOf } from '../world/entity';

/**
 * A running pod whose annotation has another address than the record or the port of it.
 *
 * The controller writes port, record and annotation of one address, in this order
 * (`reconcileAllocateSubnets`, pkg/controller/pod.go, v1.12 to v1.17), and ignores what is changed in
 * a record (`handleUpdateIP`) or an annotation later. Its next start takes the address of the
 * annotation into its memory (`InitIPAM`), and that of the record counts all the same
 * (kube-ovn.md §6.1, §6.4 step 4). An address of one family says nothing of the other.
 */
export default defineRule({
  id: 'pod-address-disagrees',
  class: 'drift',
  severity: 'warning',
  subject: 'Pod',
  reads: ['IP', 'Logical_Switch_Port'],
  about:
    'A running pod whose address by its annotation is not that of its IP object or of its port: one of them was changed later, which Kube-OVN does not follow. OVN lets the port’s address through, and from the next start of the controller on another may be given the one that only the record has. Delete the pod, so that all three are written anew.',

  check(pod, view) {
    if (!isAlive(pod) || pod.object.status?.phase !== 'Running') return healthy;
    return violation(
      ...podNetworks(pod).flatMap((network) => {
        const { portName, addresses, provider } = network;
        const annotated = addresses.split(',').map((it) => tryParseIp(it.trim()));
        const others = annotated.includes(undefined)
          ? []
          : othersOf(network, annotated as Ip[], view);
        if (others.length === 0) return [];
        const key = `${provider}.kubernetes.io/ip_address`;
        return [
          {
            summary: `pod ${keyOf(pod)} has ${addresses} by its annotation ${key}, and ${others.map(({ of, has }) => `${of.kind === 'IP' ? 'IP' : 'port'} ${portName} has ${has}`).join(', and ')}`,
            part: { column: 'metadata.annotations', key },
            concerns: others.map(({ of }) => of),
            proof: [
              present(pod),
              value(pod, `metadata.annotations[${key}]`, addresses),
              ...others.map(({ of, path, text }) => value(of, path, text)),
            ],
          },
        ];
      }),
    );
  },
});

/** What has another address of a family that the pod has one of. */
interface Other {
  readonly of: Entity<'IP' | 'Logical_Switch_Port'>;
  readonly has: string;
  readonly path: string;
  readonly text: string;
}

function othersOf(
  { portName }: PodNetwork,
  annotated: readonly Ip[],
  view: View<'IP' | 'Logical_Switch_Port'>,
): Other[] {
  const record = view.get('IP', portName);
  const [port, twin] = view.named('Logical_Switch_Port', portName);
  const isOurs = port?.object.external_ids?.['vendor'] === 'kube-ovn' && !twin;
  const found: Other[] = [];
  if (record && !isBeingDeleted(record)) {
    const has = differing(annotated, recordedAddresses(record.object.spec));
    const text = record.object.spec?.ipAddress ?? '';
    if (has) found.push({ of: record, has, path: 'spec.ipAddress', text });
  }
  if (port && isOurs && (port.object.type ?? '') === '') {
    const has = differing(
      annotated,
      portAddresses(port).flatMap((it) => tryParseIp(it) ?? []),
    );
    const text = (port.object.addresses ?? []).join(', ');
    if (has) found.push({ of: port, has, path: 'addresses', text });
  }
  return found;
}

/** The addresses of the families of which it has none that is said; undefined where there are none. */
function differing(annotated: readonly Ip[], has: readonly Ip[]): string | undefined {
  const other = has.filter(
    ({ family }) =>
      annotated.some((it) => it.family === family) &&
      !annotated.some((it) =>
        has.some((its) => its.family === family && formatIp(its) === formatIp(it)),
      ),
  );
  return other.length === 0 ? undefined : other.map(formatIp).join(', ');
}
