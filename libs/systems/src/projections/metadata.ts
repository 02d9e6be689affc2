import { CALLED_OFF } from '@ovn-steward/shared/marks';
import {
  Mismatch,
  flag,
  integer,
  list,
  mapping,
  open,
  record,
  text,
  textMap,
  texts,
  timestamp,
  type ShapeFields,
  type Shape,
} from './shape';

/**
 * What the keys of annotations we keep contain: Kube-OVN's own (`<provider>.kubernetes.io/…`,
 * kube-ovn.md §2), Multus' networks, KubeVirt's, and the user's protection of an object. All others
 * may hold anything, credentials included.
 */
const KEPT = [
  '.kubernetes.io/',
  'k8s.v1.cni.cncf.io',
  'v1.multus-cni.io',
  'kubevirt.io',
  'ovn-steward.dev/',
];

/**
 * A copy of the whole object as it was applied, with environment variables and all; and what says
 * nothing about the object.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  CALLED_OFF,
]);

const isKept = (key: string): boolean =>
  !LEFT_OUT.has(key) && KEPT.some((part) => key.includes(part));

/** The network-relevant annotations of an object or of a pod template. */
export const annotations: Shape = (value) => keptOf(value, false);

/**
 * The same, and the others' names without their values: they may hold anything, but show that they
 * were put there.
 */
export const annotationNames: Shape = (value) => keptOf(value, true);

function keptOf(value: unknown, names: boolean): unknown {
  const input = mapping(value);
  const kept: [string, string][] = [];
  const keys = Object.keys(input);
  for (const key of keys) {
    const annotation = input[key];
    if (typeof annotation !== 'string') {
      const mismatch = new Mismatch('a string', annotation);
      mismatch.path.push(key);
      throw mismatch;
    }
    if (isKept(key)) kept.push([key, annotation]);
    else if (names && key !== CALLED_OFF) kept.push([key, '']);
  }
  const isSame = kept.length === keys.length && kept.every(([key, it]) => input[key] === it);
  return isSame ? input : Object.fromEntries(kept);
}

const ownerReference = record(
  { apiVersion: text, kind: text, name: text, uid: text, controller: flag },
  ['apiVersion', 'kind', 'name', 'uid'],
);

const FIELDS: ShapeFields = {
  name: text,
  namespace: text,
  uid: text,
  creationTimestamp: timestamp,
  deletionTimestamp: timestamp,
  deletionGracePeriodSeconds: integer,
  finalizers: texts,
  labels: textMap,
  annotations,
  ownerReferences: list(ownerReference),
};

/** The metadata of a kind of which we keep some fields otherwise. */
export const metadataWith = (fields: ShapeFields): Shape =>
  record({ ...FIELDS, ...fields }, ['name', 'uid']);

/**
 * metav1.ObjectMeta without managedFields, generation, foreign annotations, and resourceVersion:
 * that moves with every heartbeat of a status that no rule reads.
 */
export const metadata: Shape = metadataWith({});

/** The metadata of a pod template: what its pods are born with. */
export const templateMetadata: Shape = record({ annotations, labels: textMap });

/**
 * A Kubernetes object: its metadata and the named top-level fields. `kind` and `apiVersion` are the
 * catalogue's, not the object's.
 */
export const kubernetesObject = (fields: ShapeFields): Shape =>
  record({ metadata, ...fields }, ['metadata']);

/** status.conditions of Kube-OVN's objects. */
export const conditions: Shape = list(open({ type: text, status: text, reason: text }));
