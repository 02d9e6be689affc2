import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';

/**
 * What Kube-OVN's controller reads of others, with any content: it waits until each can be listed.
 */
const OTHERS = [
  ['k8s.cni.cncf.io', 'network-attachment-definitions', 'NetworkAttachmentDefinition', 'v1'],
  ['kubevirt.io', 'virtualmachines', 'VirtualMachine', 'v1'],
  ['kubevirt.io', 'virtualmachineinstances', 'VirtualMachineInstance', 'v1'],
  ['kubevirt.io', 'virtualmachineinstancemigrations', 'VirtualMachineInstanceMigration', 'v1'],
  ['kubevirt.io', 'kubevirts', 'KubeVirt', 'v1'],
] as const;

export const otherDefinitions: readonly KubernetesObject[] = OTHERS.map(
  ([group, plural, kind, version]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  }),
);
