import type { DatabaseSchema, Operation } from '@ovn-steward/ovsdb';
import { type JsonColumns, MemoryDatabase } from '@ovn-steward/ovsdb/testing/memory-database';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import {
  type GivenObject,
  memoryObjects,
  type MemoryObjects,
} from '@ovn-steward/systems/testing/memory-objects';
import type { Random } from '@ovn-steward/systems/testing/kube-ovn/random';
import type { Release } from './kube-ovn/releases';
import { Damage } from './truth/damage';
import { Labels } from './truth/labels';
import { type Runs, runsBefore } from './truth/runs';

export const ROUTER = 'ovn-cluster';
export const JOIN = 'join';
export const NAMESPACES = ['shop', 'batch'] as const;

/** The most the clock moves before everything is reported again: milliseconds. */
export const LEAP = 360_000;

/** When every history begins: milliseconds since 1970. */
const BEGINNING = Date.UTC(2026, 0, 5);

/** The two systems of one history, and what everybody in it knows. */
export interface Cluster {
  readonly database: MemoryDatabase;
  readonly objects: MemoryObjects;
  readonly release: Release;
  /** For whom each thing was made: the truth, which no rule sees. */
  readonly labels: Labels;
  /** StatefulSets whose pods are not made at present, as `namespace/name`. */
  readonly stalled: Set<string>;
  /** Of the container of Kube-OVN's controller. */
  readonly runs: Runs;
  /** What happened to rows of others. */
  readonly damage: Damage;
  /** What happened, in words. */
  readonly diary: string[];
  /** Of the step that runs; a step draws nothing else. */
  random: Random;
  /** Milliseconds since 1970. */
  now: number;
  /** A transaction of anybody. @throws Error when it is refused: then the model is wrong. */
  write(...operations: readonly Operation[]): void;
  /** Creates or replaces. */
  put(object: GivenObject): KubernetesObject;
  rows(table: string): ReadonlyMap<string, JsonColumns>;
}

export function emptyCluster(draw: Random, schema: DatabaseSchema, release: Release): Cluster {
  const database = new MemoryDatabase(schema);
  const objects = memoryObjects();
  const cluster: Cluster = {
    database,
    objects,
    release,
    labels: new Labels(),
    stalled: new Set(),
    runs: runsBefore(draw, BEGINNING),
    damage: new Damage(LEAP),
    diary: [],
    random: draw,
    now: BEGINNING,
    write(...operations) {
      const result = database.transact(operations);
      if (!result.ok)
        throw new Error(
          `the model writes what is refused: ${JSON.stringify(result.error)} ${JSON.stringify(operations)}`,
        );
    },
    put({ metadata, ...rest }) {
      const known = objects.get(rest.kind as string, metadata.namespace, metadata.name);
      return objects.put({
        ...(rest as Omit<GivenObject, 'metadata'>),
        metadata: {
          creationTimestamp:
            known?.metadata['creationTimestamp'] ?? new Date(cluster.now).toISOString(),
          ...metadata,
        },
      } as unknown as GivenObject);
    },
    rows: (table) => database.rows(table),
  };
  return cluster;
}

/** The row of that name. */
export function rowNamed(
  cluster: Cluster,
  table: string,
  name: string,
): readonly [uuid: string, row: JsonColumns] | undefined {
  for (const entry of cluster.rows(table)) if (entry[1]['name'] === name) return entry;
  return undefined;
}

/** A value of a map column; undefined where there is none. */
export function keyIn(json: unknown, key: string): string | undefined {
  for (const [name, value] of (json as [string, [string, string][]])[1])
    if (name === key) return value;
  return undefined;
}

/** The uuids in a column that holds one, none or many. */
export function uuidsOf(json: unknown): string[] {
  const [tag, content] = json as ['uuid', string] | ['set', ['uuid', string][]];
  return tag === 'uuid' ? [content] : content.map(([, uuid]) => uuid);
}

export const alive = (object: KubernetesObject | undefined): object is KubernetesObject =>
  object !== undefined && object.metadata.deletionTimestamp === undefined;

/** Being deleted, and still there. */
export const hasDeletionTimestamp = ({ metadata }: KubernetesObject): boolean =>
  metadata.deletionTimestamp !== undefined;

export const annotationOf = (
  object: KubernetesObject | undefined,
  key: string,
): string | undefined =>
  (object?.metadata['annotations'] as Record<string, string> | undefined)?.[key];

/** Changes annotations of what is there. */
export function annotate(
  cluster: Cluster,
  object: KubernetesObject,
  annotations: Readonly<Record<string, string | undefined>>,
): void {
  const all = {
    ...(object.metadata['annotations'] as object | undefined),
    ...annotations,
  } as Record<string, string | undefined>;
  for (const key of Object.keys(all)) if (all[key] === undefined) delete all[key];
  cluster.put({
    ...object,
    metadata: { ...object.metadata, annotations: all },
  } as unknown as GivenObject);
}

/** Deletes it, as a DELETE does: what has finalizers stays until they are taken. */
export function remove(cluster: Cluster, object: KubernetesObject): void {
  const { name, namespace, finalizers = [] } = object.metadata;
  const kind = object['kind'] as string;
  if (finalizers.length === 0) return cluster.objects.remove(kind, namespace, name);
  if (object.metadata.deletionTimestamp !== undefined) return;
  const deletionTimestamp = new Date(cluster.now).toISOString();
  cluster.put({
    ...object,
    metadata: { ...object.metadata, deletionTimestamp },
  } as unknown as GivenObject);
}

/** Somebody deletes it, or by force: then what holds it up is taken off at once. */
export function deleteObject(cluster: Cluster, object: KubernetesObject, isForced: boolean): void {
  const { name, namespace } = object.metadata;
  const kind = object['kind'] as string;
  if (isForced) cluster.objects.remove(kind, namespace, name);
  else remove(cluster, object);
  cluster.diary.push(`${kind} ${name} deleted${isForced ? ' by force' : ''}`);
}

/** The row goes; where it is not Kube-OVN's, it and what holds it are harmed. */
export function recordHarm(cluster: Cluster, uuid: string, holder = uuid): void {
  const { labels, damage, now } = cluster;
  if (labels.get(uuid)?.by !== 'kube-ovn') for (const it of [uuid, holder]) damage.harm(it, now);
}
