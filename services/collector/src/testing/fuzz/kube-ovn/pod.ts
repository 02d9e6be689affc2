import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { alive, annotationOf, type Cluster } from '../cluster';
import type { Owner } from '../truth/labels';

const SWITCH = 'ovn.kubernetes.io/logical_switch';
const NETWORKS = 'k8s.v1.cni.cncf.io/networks';

/** The machine whose launcher it is. */
export const machineOf = (pod: KubernetesObject): string | undefined =>
  ownersOf(pod).find((it) => it.kind === 'VirtualMachineInstance')?.name;

const ownersOf = ({ metadata }: KubernetesObject): readonly { kind: string; name: string }[] =>
  (metadata['ownerReferences'] as { kind: string; name: string }[] | undefined) ?? [];

/** Runs, or is to run, in a network that is not its node's. */
export const isLive = (pod: KubernetesObject | undefined): pod is KubernetesObject => {
  const phase = (pod?.['status'] as { phase?: string } | undefined)?.phase ?? '';
  const { hostNetwork } = (pod?.['spec'] ?? {}) as { hostNetwork?: boolean };
  return alive(pod) && hostNetwork !== true && phase !== 'Succeeded' && phase !== 'Failed';
};

/** Each network of a pod: what stands behind its names, its provider and its subnet. */
export function networksOf(
  cluster: Cluster,
  pod: KubernetesObject,
): { provider: string; suffix: string; subnet: string }[] {
  const namespace = cluster.objects.get('Namespace', undefined, pod.metadata.namespace ?? '');
  const subnet = annotationOf(pod, SWITCH) ?? annotationOf(namespace, SWITCH)?.split(',')[0];
  const attachments = (annotationOf(pod, NETWORKS) ?? '').split(',').filter((it) => it !== '');
  return [
    ...(subnet === undefined ? [] : [{ provider: 'ovn', suffix: '', subnet }]),
    ...attachments.map((attachment) => {
      const [space = '', name = ''] = attachment.split('/');
      const provider = `${name}.${space}.ovn`;
      return { provider, suffix: `.${provider}`, subnet: name };
    }),
  ];
}

/** Who keeps what is made for the pod (kube-ovn.md §6.3). */
export function keepersOf(pod: KubernetesObject): readonly Owner[] {
  const { namespace = '', name } = pod.metadata;
  const machine = machineOf(pod);
  if (machine !== undefined)
    return ['VirtualMachine', 'VirtualMachineInstance', 'Launcher'].map((kind) => ({
      kind,
      namespace,
      name: machine,
    }));
  const set = ownersOf(pod).find((it) => it.kind === 'StatefulSet');
  const own: Owner = { kind: 'Pod', namespace, name };
  return set
    ? [
        own,
        {
          kind: 'Ordinal',
          namespace,
          name: set.name,
          ordinal: Number(name.slice(set.name.length + 1)),
        },
      ]
    : [own];
}
