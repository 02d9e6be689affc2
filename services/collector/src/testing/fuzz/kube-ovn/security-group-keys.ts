import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { annotationOf, type Cluster, rowNamed } from '../cluster';
import { machineOf } from './pod';
import { isAtLeast } from './releases';

export const KEY = 'associated_sg_';
export const LIST = 'security_groups';

/** What a pod says of the groups of one of its networks. */
export const groupsSaid = (pod: KubernetesObject, provider: string): string =>
  annotationOf(pod, `${provider}.kubernetes.io/${LIST}`) ?? '';
export const namesIn = (said: string): string[] =>
  said
    .replaceAll(' ', '')
    .split(',')
    .filter((it) => it !== '');

/** Written with a new port, blanks and all (buildLogicalSwitchPort). */
export const keysOfGroups = (said: string): Readonly<Record<string, string>> =>
  said === ''
    ? {}
    : {
        [LIST]: said.replaceAll(',', '/'),
        ...Object.fromEntries(said.split(',').map((it) => [KEY + it, 'true'])),
      };

export const groupsOfPort = (ids: unknown): string[] =>
  (ids as ['map', [string, string][]])[1].flatMap(([key, value]) =>
    key.startsWith(KEY) && value === 'true' ? [key.slice(KEY.length)] : [],
  );

/** The groups that the port of a machine is in, which are looked at again: from v1.14 on. */
export function formerGroups(cluster: Cluster, pod: KubernetesObject, port: string): string[] {
  if (machineOf(pod) === undefined || !isAtLeast(cluster.release, 1, 14)) return [];
  const [, row] = rowNamed(cluster, 'Logical_Switch_Port', port) ?? [];
  return row ? groupsOfPort(row['external_ids']) : [];
}
