import { kubernetesObject, templateMetadata } from './metadata';
import { type Fields, integer, list, record, type Shape, texts } from './shape';

/**
 * Flags of kube-ovn-controller that say what its garbage collection spares (kube-ovn.md §0.1). Arguments of anybody else's are never kept: they may hold anything, credentials included.
 */
const FLAG = /^--(?:gc-interval|enable-external-vpc|enable-lb)(?:=[\w.-]{0,20})?$/;

const containers = list(record({ args: texts } satisfies Fields));

/** Those flags of all containers, in their order; nothing where there are none. */
const flags: Shape = (value) => {
  const { containers: read } = record({ containers })(value) as { readonly containers?: readonly { readonly args?: readonly string[] }[] };
  const args = (read ?? []).flatMap((it) => it.args ?? []).filter((it) => FLAG.test(it));
  return args.length > 0 ? { flags: args } : undefined;
};

/**
 * Deployment, ReplicaSet, StatefulSet and DaemonSet alike: how many pods they want, the ordinals a StatefulSet keeps addresses for
 * (kube-ovn.md §6.3), what their pods are born with (§8.3 compares the pod with its owner's template), and, of Kube-OVN's controller, `flags`.
 */
export const workload = kubernetesObject({
  spec: record({ replicas: integer, ordinals: record({ start: integer }), template: record({ metadata: templateMetadata, spec: flags }) }),
});
