/** A Kubernetes object as JSON, with the parts we read. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly [field: string]: unknown;
}

interface OwnerReference {
  readonly uid: string;
  readonly [field: string]: unknown;
}

/** What we need of a CustomResourceDefinition (apiextensions.k8s.io/v1). */
export interface CustomResourceDefinition extends KubernetesObject {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly scope: 'Namespaced' | 'Cluster';
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema?: unknown;
    }[];
  };
}

export const isDefinition = (object: KubernetesObject): object is CustomResourceDefinition =>
  object.kind === 'CustomResourceDefinition' && object.apiVersion === 'apiextensions.k8s.io/v1';

/** The API group of an apiVersion; empty for the core group. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';

/** For messages: `Pod shop/cart-1`. */
export const describeObject = ({ kind, metadata }: KubernetesObject): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
