import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { VENDOR } from '@ovn-steward/judgement/testing/builders';
import { auditOf } from './mutate';
import type { Mutation, Raw } from './mutate';

export type Change = (it: Mutation) => void;
/** What happens, and how a healthy recording is changed to show it. */
export type Scenario = readonly [title: string, change: Change];

const DEADLY = new Set<string>(['garbage', 'leak']);

/** What would be removed: garbage and leaks, by their sentences. */
export const doomedIn = async (recording: string, change: Change): Promise<string[]> =>
  (await auditOf(recording, change))
    .findings()
    .filter((it) => DEADLY.has(it.class))
    .map((it) => it.summary)
    .sort();

/** What is found, by the titles of the findings. */
export const foundIn = async (recording: string, change: Change): Promise<string[]> =>
  (await auditOf(recording, change)).findings().map(titleOf).sort();

/** `rule subject`, or `rule subject[part]`. */
export function titleOf({ rule, subject }: Finding): string {
  const name = subject.namespace
    ? `${subject.namespace}/${subject.name}`
    : subject.name || subject.uid;
  return `${rule} ${name}${subject.part ? `[${subject.part.key}]` : ''}`;
}

/** A switch port as Kube-OVN makes it, for the pod `namespace/name` when it is given. */
export const ownPort = (
  { nb }: Mutation,
  name: string,
  ls: string,
  pod?: string,
  more: Raw = {},
): string =>
  nb.insert(
    'Logical_Switch_Port',
    {
      name,
      addresses: [`00:00:00:aa:bb:cc 10.99.${name.length}.7`],
      external_ids: { ...VENDOR, ls, ...(pod ? { pod } : {}), ...more.external_ids },
      ...more.columns,
    },
    { row: nb.row('Logical_Switch', ls), column: 'ports' },
  );

/** An IP object as Kube-OVN makes it. */
export function ownIp(
  recording: Mutation,
  name: string,
  subnet: string,
  spec: Raw = {},
  metadata: Raw = {},
): Raw {
  return recording.add('IP', name, {
    metadata: {
      finalizers: ['kubeovn.io/kube-ovn-controller'],
      labels: {
        [subnet]: '',
        'ovn.kubernetes.io/ip_reserved': 'false',
        'ovn.kubernetes.io/subnet': subnet,
      },
      ...metadata,
    },
    spec: {
      attachIps: [],
      attachMacs: [],
      attachSubnets: [],
      containerID: '',
      ipAddress: '',
      v4IpAddress: '',
      v6IpAddress: '',
      macAddress: '',
      namespace: '',
      nodeName: '',
      podName: '',
      podType: '',
      subnet,
      ...spec,
    },
  });
}

/** A port and the IP object of the same name, for a pod. */
export function portAndIp(
  recording: Mutation,
  pod: string,
  subnet: string,
  podType = '',
  suffix = '',
): void {
  const [namespace, name] = pod.split('/') as [string, string];
  ownPort(recording, `${name}.${namespace}${suffix}`, subnet, pod);
  ownIp(recording, `${name}.${namespace}${suffix}`, subnet, { namespace, podName: name, podType });
}

export const pod = (
  recording: Mutation,
  key: string,
  status: Raw = { phase: 'Running' },
  rest: Raw = {},
): Raw => recording.add('Pod', key, { spec: {}, status, ...rest });

/** Deletes a pod: no chassis holds its ports up any more. */
export function deletePod(recording: Mutation, key: string): void {
  const gone = recording.remove('Pod', key);
  const names = new Set([
    gone.metadata.name,
    ...Object.entries(gone.metadata.annotations ?? {})
      .filter(([name]) => name.endsWith('/virtualmachine'))
      .map(([, vm]) => vm as string),
  ]);
  for (const row of recording.nb.rows('Logical_Switch_Port')) {
    const [namespace, name] = ((row['external_ids'] as Record<string, string>)['pod'] ?? '').split(
      '/',
    );
    if (namespace === gone.metadata.namespace && names.has(name)) row['up'] = [false];
  }
}
