import { kubernetesObject, templateMetadata } from './metadata';
import { type ShapeFields, integer, list, record, type Shape, text, texts } from './shape';

/**
 * Flags of kube-ovn-controller that say what its garbage collection spares, whether it connects
 * pods by itself, whether it enforces network policies, and those of administrators, and whether it
 * gives pods external addresses (kube-ovn.md §0.1). Arguments of anybody else's are never kept: they may hold anything,
 * credentials included.
 */
const FLAG =
  /^--(?:gc-interval|enable-external-vpc|enable-lb|enable-np|enable-anp|enable-eip-snat|non-primary-cni-mode)(?:=[\w.-]{0,20})?$/;

/**
 * The tag of Kube-OVN's image, wherever it is mirrored: the release. Of no other image is anything
 * kept.
 */
const IMAGE = /(?:^|\/)kube-ovn:(v\d[\w.-]{0,40})(?:@sha256:[0-9a-f]+)?$/;
const TAG = /^v\d[\w.-]{0,40}$/;

/** Containers, and what was kept of them before. */
const read = record({
  containers: list(record({ args: texts, image: text } satisfies ShapeFields)),
  flags: texts,
  release: text,
});

interface Read {
  readonly containers?: readonly { readonly args?: readonly string[]; readonly image?: string }[];
  readonly flags?: readonly string[];
  readonly release?: string;
}

/**
 * Those flags of all containers, in their order, and the release of the first that has one; nothing
 * where there is neither.
 */
const ofController: Shape = (value) => {
  const workload = read(value) as Read;
  const flags = [
    ...(workload.containers ?? []).flatMap(({ args = [] }) => args),
    ...(workload.flags ?? []),
  ].filter((each) => FLAG.test(each));
  const [release] = [
    ...(workload.containers ?? []).flatMap(({ image = '' }) => IMAGE.exec(image)?.[1] ?? []),
    ...(TAG.test(workload.release ?? '') ? [workload.release] : []),
  ];
  return flags.length > 0 || release !== undefined
    ? { ...(flags.length > 0 && { flags }), ...(release !== undefined && { release }) }
    : undefined;
};

/**
 * Deployment, ReplicaSet, StatefulSet and DaemonSet alike: how many pods they want, the ordinals a
 * StatefulSet keeps addresses for (kube-ovn.md §6.3), what their pods are born with (§8.3 compares
 * the pod with its owner's template), and, of Kube-OVN's controller, `flags` and `release`.
 */
export const workload = kubernetesObject({
  spec: record({
    replicas: integer,
    ordinals: record({ start: integer }),
    template: record({ metadata: templateMetadata, spec: ofController }),
  }),
});
