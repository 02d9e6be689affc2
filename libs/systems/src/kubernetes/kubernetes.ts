/** A Kubernetes object as the API gives it. */
export type KubernetesObject = Readonly<Record<string, unknown>> & {
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
  };
};

/** One version of one object: what a write is bound to. */
export interface ObjectVersion {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** RFC 6902. A `test` that does not hold refuses the whole patch. */
export type JsonPatch = readonly {
  readonly op: 'add' | 'remove' | 'replace' | 'test';
  readonly path: string;
  readonly value?: unknown;
}[];

/**
 * Refused as a whole: nothing was changed. `conflict`: the object is not in that version any more.
 * `forbidden`: we may not. `blocked`: a budget or policy does not allow it now.
 */
export interface RefusedWrite {
  readonly is: 'refused';
  readonly why: 'conflict' | 'forbidden' | 'blocked' | 'invalid' | 'exists';
  readonly message: string;
}

/** A part of the Pods that the server finds by itself: those on no node yet. */
export type ListOnly = 'unscheduled';

/**
 * What a follower gets of a kind: `all` there is, that an object is so `now`, that it is `gone`.
 */
export type FollowEvent =
  | { readonly is: 'all'; readonly objects: readonly KubernetesObject[] }
  | { readonly is: 'now' | 'gone'; readonly object: KubernetesObject };

/** One series of a metric. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** An event on an object (events.k8s.io/v1). */
export interface ObjectEvent {
  readonly regarding: {
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
    readonly uid: string;
  };
  readonly type: 'Normal' | 'Warning';
  /** CamelCase, for machines. */
  readonly reason: string;
  readonly action: string;
  /** At most 1024 bytes. */
  readonly note: string;
}

/**
 * A Kubernetes cluster as the executor uses it. Every read gets the latest state from the API
 * server (no resourceVersion), never a cache. Two implementations keep the same contract
 * (`kubernetes.contract.ts`). Kinds are those of `KUBERNETES_KINDS` and `POLICY_KINDS`, by their
 * kind.
 *
 * All reads throw a Failure (`source-forbidden`, `source-unreachable`, `source-broken` …) for
 * anything that is not an answer: an error is never an absence.
 */
export interface Kubernetes {
  readonly where: string;
  /** Which cluster answers now, over a connection of its own: the uid of namespace kube-system. */
  identity(signal: AbortSignal): Promise<string>;
  /**
   * `served`, or `not-installed` when the API server says that it has no such resource and, for a
   * custom kind, that there is no CustomResourceDefinition of that name.
   * @throws Failure otherwise.
   */
  serves(kind: string, signal: AbortSignal): Promise<'served' | 'not-installed'>;
  /**
   * The apiVersion under which the server serves the kind, the catalogue's before all others;
   * undefined where `serves` says `not-installed`.
   * @throws Failure as `serves`.
   */
  servedAs(kind: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * The object; undefined only when the server, which serves the kind, says that there is none of
   * that name.
   * @throws Failure `source-not-served` for a kind not served.
   */
  get(
    kind: string,
    namespace: string | undefined,
    name: string,
    signal: AbortSignal,
  ): Promise<KubernetesObject | undefined>;
  /**
   * All of the kind, or of it in one namespace, or of Pods only those that `only` names; whole or a
   * Failure.
   */
  list(
    kind: string,
    namespace: string | undefined,
    signal: AbortSignal,
    only?: ListOnly,
  ): Promise<readonly KubernetesObject[]>;
  /**
   * All of the kind, or of it in one namespace, where there are no more than `most`: one request,
   * and one answer. Undefined where there are more, or the answer would be too large.
   */
  listUpTo(
    kind: string,
    namespace: string | undefined,
    most: number,
    signal: AbortSignal,
  ): Promise<readonly KubernetesObject[] | undefined>;
  /**
   * All of the kind, then each change of it in order, until the server ends it, the line falls
   * silent or the signal fires: then it returns, and is to be followed again. An event is as old as
   * its way here: enough to know when to read.
   * @throws Failure as `list`.
   */
  follow(kind: string, signal: AbortSignal, only?: ListOnly): AsyncIterable<readonly FollowEvent[]>;
  /**
   * What the API server that answers counts of itself under these names, since its start (GET
   * /metrics), all of one server at one moment; empty where it counts no such thing.
   * @throws Failure as `list`.
   */
  samples<M extends string>(
    metrics: readonly M[],
    signal: AbortSignal,
  ): Promise<Readonly<Record<M, readonly Sample[]>>>;
  /** How many there are, without reading them all; undefined when the server does not say. */
  count(kind: string, signal: AbortSignal): Promise<number | undefined>;
  /**
   * Deletes this version (preconditions uid and resourceVersion). `gone`: no object of that name
   * exists any more. `terminating`: it waits for its finalizers.
   * @throws Failure `outcome-unknown` when it was sent and no answer came. Any other Failure means
   *   that nothing was changed.
   */
  delete(
    object: ObjectVersion,
    signal: AbortSignal,
  ): Promise<{ readonly is: 'gone' | 'terminating' } | RefusedWrite>;
  /** As `delete`, by way of the eviction of a Pod, which respects PodDisruptionBudgets (`blocked`). */
  evict(
    object: ObjectVersion,
    signal: AbortSignal,
  ): Promise<{ readonly is: 'gone' | 'terminating' } | RefusedWrite>;
  /**
   * Patches this version; uid and resourceVersion are tested in the same request.
   * @throws as `delete`.
   */
  patch(
    object: ObjectVersion,
    patch: JsonPatch,
    signal: AbortSignal,
  ): Promise<{ readonly is: 'patched'; readonly object: KubernetesObject } | RefusedWrite>;
  /** @throws as `delete`. */
  create(
    kind: string,
    manifest: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ readonly is: 'created'; readonly object: KubernetesObject } | RefusedWrite>;
  /**
   * Writes an event on an object. Best effort: resolves false when it could not be written, never
   * throws.
   */
  writeEvent(event: ObjectEvent, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}
