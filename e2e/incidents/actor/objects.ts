import { apiVersionOf, kubernetesKind, type KubernetesKind } from '@ovn-steward/shared/kinds';
import type { Api } from '@ovn-steward/testbed/kubernetes/api';
import { HttpError } from '@ovn-steward/testbed/kubernetes/http';

/** Kube-OVN's finalizer (kube-ovn.md §1). */
export const FINALIZER = 'kubeovn.io/kube-ovn-controller';

type Texts = Readonly<Record<string, string>>;

/** A Kubernetes object as the actor handles it. */
export interface Thing {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Texts;
    readonly annotations?: Texts;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly {
      readonly kind: string;
      readonly name: string;
      readonly uid: string;
    }[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** What a controller does in the API server. */
export interface Objects {
  list(kind: string): Promise<readonly Thing[]>;
  get(kind: string, name: string, namespace?: string): Promise<Thing | undefined>;
  create(thing: Thing): Promise<Thing>;
  /**
   * Writes the object; false when somebody else wrote it first, or it is gone: the next turn reads
   * again.
   */
  write(thing: Thing): Promise<boolean>;
  /** Its status, where that is apart. */
  writeStatus(thing: Thing): Promise<boolean>;
  /**
   * Deletes it. Nothing waits for its finalizers, and pods have no kubelet to end them: those
   * go at once with `force`.
   */
  remove(thing: Pick<Thing, 'kind' | 'metadata'>, force?: boolean): Promise<void>;
  /** Puts a pod on a node, as the scheduler does. */
  bind(pod: Pick<Thing, 'kind' | 'metadata'>, node: string): Promise<void>;
  /** What the API server would make of it; nothing is kept. */
  tried(thing: Thing): Promise<Thing>;
  /** What the API server says against deleting it; undefined when it would do so. */
  refusalOf(thing: Pick<Thing, 'kind' | 'metadata'>): Promise<string | undefined>;
}

/** The actor, like Kube-OVN, reads one kind that Steward does not. */
const NETWORK_ATTACHMENT_DEFINITION: KubernetesKind = {
  kind: 'NetworkAttachmentDefinition',
  group: 'k8s.cni.cncf.io',
  version: 'v1',
  resource: 'network-attachment-definitions',
  namespaced: true,
};

function kindNamed(kind: string): KubernetesKind {
  const known =
    kind === NETWORK_ATTACHMENT_DEFINITION.kind
      ? NETWORK_ATTACHMENT_DEFINITION
      : kubernetesKind(kind);
  if (known === undefined) throw new Error(`the actor knows no kind ${kind}`);
  return known;
}

export function objectsOf(api: Api): Objects {
  const path = (kind: string, namespace?: string, name?: string): string => {
    const known = kindNamed(kind);
    const version = apiVersionOf(known);
    return [
      known.group === '' ? '/api' : '/apis',
      version,
      ...(namespace === undefined ? [] : ['namespaces', namespace]),
      known.resource,
      ...(name === undefined ? [] : [name]),
    ].join('/');
  };
  const pathOf = ({ kind, metadata }: Pick<Thing, 'kind' | 'metadata'>): string =>
    path(kind, metadata.namespace, metadata.name);
  const put = async (to: string, thing: Thing): Promise<boolean> =>
    (await unless([404, 409], () => api.send('PUT', to, thing))) !== undefined;
  return {
    list: async (kind) =>
      ((await api.get(path(kind))) as { items: Omit<Thing, 'kind'>[] }).items.map((object) => ({
        ...object,
        kind,
        apiVersion: apiVersionOf(kindNamed(kind)),
      })),
    get: async (kind, name, namespace) =>
      (await unless([404], () => api.get(path(kind, namespace, name)))) as Thing | undefined,
    create: async (thing) =>
      (await api.send('POST', path(thing.kind, thing.metadata.namespace), {
        apiVersion: apiVersionOf(kindNamed(thing.kind)),
        ...thing,
      })) as Thing,
    write: (thing) => put(pathOf(thing), thing),
    writeStatus: (thing) => put(`${pathOf(thing)}/status`, thing),
    remove: async (thing, force = false) => {
      await unless([404], () =>
        api.send('DELETE', pathOf(thing), {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          ...(force && { gracePeriodSeconds: 0 }),
        }),
      );
    },
    bind: async (pod, node) => {
      await unless([404, 409], () =>
        api.send('POST', `${pathOf(pod)}/binding`, {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: pod.metadata.name },
          target: { apiVersion: 'v1', kind: 'Node', name: node },
        }),
      );
    },
    tried: async (thing) =>
      (await api.send('POST', `${path(thing.kind, thing.metadata.namespace)}?dryRun=All`, {
        apiVersion: apiVersionOf(kindNamed(thing.kind)),
        ...thing,
      })) as Thing,
    async refusalOf(thing) {
      try {
        await api.send('DELETE', pathOf(thing), {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          dryRun: ['All'],
        });
        return undefined;
      } catch (error) {
        if (error instanceof HttpError && [403, 422].includes(error.status))
          return /denied request: ([^"]*)"/.exec(error.message)?.[1] ?? error.message;
        throw error;
      }
    },
  };
}

async function unless<T>(
  statuses: readonly number[],
  request: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof HttpError && statuses.includes(error.status)) return undefined;
    throw error;
  }
}

/** Without that finalizer. */
export const unheld = (thing: Thing): Thing => ({
  ...thing,
  metadata: {
    ...thing.metadata,
    finalizers: (thing.metadata.finalizers ?? []).filter((it) => it !== FINALIZER),
  },
});
