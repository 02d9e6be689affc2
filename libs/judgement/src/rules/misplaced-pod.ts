import { namespacesBySubnet } from '../relations/namespaces-by-subnet';
import { SUBNET_ANNOTATION, subnetsOfNamespace } from '../kube-ovn/namespace-subnets';
import { isAlive } from '../kube-ovn/pod-networks';
import { fieldWriter } from '../rule-kit/field-writer';
import type { Entity, Kind } from '../world/entity';
import { referenceTo } from '../world/entity';
import type { View } from '../rule-kit/view';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { present, value } from '../rule-kit/facts';

const POOL_ANNOTATION = 'ovn.kubernetes.io/ip_pool';
const CHOICES = [SUBNET_ANNOTATION, POOL_ANNOTATION, 'ovn.kubernetes.io/ip_address'];
const TEMPLATES = [
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'VirtualMachineInstance',
] as const satisfies readonly Kind[];

/**
 * A pod in another subnet than its namespace's. It was admitted before its subnet existed or while
 * that appeared full, took an address of the default subnet, and keeps it until it is restarted
 * (kube-ovn.md §8.3, row 76).
 *
 * Kube-OVN writes its own choice into the annotation a user would choose with, so what the user
 * wanted is read from the owner's pod template; a pod without a readable template is not judged. A
 * pool it writes on no pod (pkg/controller, v1.12 to v1.17): that of the pod itself was chosen, by
 * whoever made the pod or an admission webhook. Up to v1.16 the pool has to be of a subnet of the
 * namespace, from v1.17-dev on its subnet is the pod's (`getPodDefaultSubnet`, seen).
 */
export default defineRule({
  id: 'misplaced-pod',
  class: 'misplaced',
  severity: 'warning',
  subject: 'Pod',
  reads: ['Namespace', 'Subnet'],
  consults: [...TEMPLATES, 'VirtualMachine'],
  about:
    'A running pod whose address is not from any subnet of its namespace, though nobody requested that. A restart of the pod corrects it.',
  remedy: 'restart-pod',

  check(pod, view) {
    const annotations = pod.object.metadata.annotations ?? {};
    const subnet = annotations[SUBNET_ANNOTATION] ?? '';
    if (!isAlive(pod) || subnet === '' || annotations['ovn.kubernetes.io/allocated'] !== 'true')
      return healthy;
    if ((annotations[POOL_ANNOTATION] ?? '').trim() !== '') return healthy;
    if (view.has(namespacesBySubnet, `${pod.namespace} ${subnet}`)) return healthy;
    const namespace = view.get('Namespace', pod.namespace ?? '');
    const desired = new Set(namespace ? subnetsOfNamespace(namespace) : []);
    if (!namespace || desired.size === 0) return healthy;
    if (view.get('Subnet', subnet)?.object.spec?.namespaces?.includes(pod.namespace ?? ''))
      return healthy;
    const absentWanted = [...desired].find((it) => view.presence('Subnet', it) !== 'present');
    if (absentWanted)
      return unknown(
        `namespace ${pod.namespace} is given subnet ${absentWanted}, which is not there`,
      );
    // Kube-OVN follows the choice of another, such as an admission webhook.
    const writer = fieldWriter(pod, ({ 'f:metadata': metadata }) =>
      Object.hasOwn(metadata?.['f:annotations'] ?? {}, `f:${SUBNET_ANNOTATION}`),
    );
    if (writer === 'another') return healthy;
    if (writer === 'nobody')
      return unknown(
        `pod ${pod.namespace}/${pod.name} does not say who wrote its subnet ${subnet} (metadata.managedFields)`,
      );
    const chosen = chosenByUser(pod, view);
    if (typeof chosen === 'string') return unknown(chosen);
    if (chosen) return healthy;

    return violation({
      summary: `pod ${pod.namespace}/${pod.name} has an address of subnet ${subnet}, but its namespace uses ${[...desired].sort().join(', ')}`,
      proof: [
        value(pod, `metadata.annotations[${SUBNET_ANNOTATION}]`, subnet),
        value(
          namespace,
          `metadata.annotations[${SUBNET_ANNOTATION}]`,
          namespace.object.metadata.annotations![SUBNET_ANNOTATION]!,
        ),
        present(pod),
      ],
      remedy: {
        action: 'restart-pod',
        target: referenceTo(pod),
        advice:
          "delete the pod, so that its owner recreates it: it then gets an address of its namespace's subnet",
      },
    });
  },
});

/**
 * Whether the owner's template requests a subnet, pool or address; a sentence when that is not
 * known.
 */
function chosenByUser(
  pod: Entity<'Pod'>,
  view: View<(typeof TEMPLATES)[number] | 'VirtualMachine'>,
): boolean | string {
  const owner =
    pod.object.metadata.ownerReferences?.find((it) => it.controller) ??
    pod.object.metadata.ownerReferences?.[0];
  const kind = TEMPLATES.find((it) => it === owner?.kind);
  if (!owner || !kind)
    return `pod ${pod.namespace}/${pod.name} has no owner whose template could say whether its subnet was chosen`;
  const key = `${pod.namespace}/${owner.name}`;
  const template =
    kind === 'VirtualMachineInstance'
      ? machineTemplate(key, view)
      : workloadTemplate(view.get(kind, key));
  if (!template) return `${kind} ${key}, the owner of pod ${pod.name}, is not known`;
  return CHOICES.some((it) => Object.hasOwn(template, it));
}

const workloadTemplate = (
  workload: Entity<'ReplicaSet' | 'StatefulSet' | 'DaemonSet'> | undefined,
): Readonly<Record<string, unknown>> | undefined =>
  workload && (workload.object.spec?.template?.metadata?.annotations ?? {});

/** A machine's template annotations are on the VirtualMachine; a bare instance carries its own. */
function machineTemplate(
  key: string,
  view: View<'VirtualMachine' | 'VirtualMachineInstance'>,
): Readonly<Record<string, unknown>> | undefined {
  const machine = view.get('VirtualMachine', key);
  if (machine) return machine.object.spec?.template?.metadata?.annotations ?? {};
  if (view.presence('VirtualMachine', key) === 'unknown') return undefined;
  const instance = view.get('VirtualMachineInstance', key);
  return instance && (instance.object.metadata.annotations ?? {});
}
