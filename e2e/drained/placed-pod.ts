import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import type { ChartObject, PodSpec } from '../../tools/chart/rendered';

/** A pod as the API server has it, with as much of it as a node reads. */
export interface PlacedPod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels: Readonly<Record<string, string>>;
    /** Set from the eviction on. */
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  /** Without a node it is Pending. */
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export const isReady = ({ status }: PlacedPod): boolean =>
  status.conditions?.some((it) => it.type === 'Ready' && it.status === 'True') === true;

interface StatefulSetSpec {
  readonly replicas: number;
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: PodSpec;
  };
  readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
}

/** The names of the pods of a StatefulSet. */
export const podNamesOf = ({ metadata, spec }: ChartObject): readonly string[] =>
  Array.from(
    { length: (spec as unknown as StatefulSetSpec).replicas },
    (_, ordinal) => `${metadata.name}-${ordinal}`,
  );

/**
 * The pod of that name as the controller of StatefulSets makes it. @param uid of the StatefulSet.
 */
export function podOf(set: ChartObject, name: string, uid: string): KubernetesObject {
  const { template, volumeClaimTemplates = [] } = set.spec as unknown as StatefulSetSpec;
  const claimed = volumeClaimTemplates.map(({ metadata }) => ({
    name: metadata.name,
    persistentVolumeClaim: { claimName: `${metadata.name}-${name}` },
  }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...template.metadata,
      name,
      namespace: set.metadata.namespace,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          name: set.metadata.name,
          uid,
          controller: true,
        },
      ],
    },
    spec: { ...template.spec, volumes: [...template.spec.volumes, ...claimed] },
  } as unknown as KubernetesObject;
}
