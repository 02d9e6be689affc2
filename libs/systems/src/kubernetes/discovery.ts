import { type KubernetesKind, crdNameOf } from '@ovn-steward/shared/kinds';
import { Failure } from '@ovn-steward/shared/errors';
import { isRecord } from './is-record';
import type { KubeClient } from './kube-client';
import { readJson } from './read-json';

/** Where the catalogue's version of a kind is listed and watched, all namespaces at once. */
export const pathOf = (kind: KubernetesKind, version: string = kind.version): string =>
  `${kind.group ? `/apis/${kind.group}/${version}` : `/api/${version}`}/${kind.resource}`;

/**
 * The path under which the cluster serves a kind whose catalogued version it does not: the group's
 * preferred version that has it, else any other. Undefined when no served version has it.
 */
export async function discoverPath(
  client: KubeClient,
  kind: KubernetesKind,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!kind.group) return undefined;
  const group = await orNotFound(readJson(client, `/apis/${kind.group}`, signal));
  for (const version of versionsOf(group)) {
    const served = await orNotFound(readJson(client, `/apis/${kind.group}/${version}`, signal));
    if (serves(served, kind)) return pathOf(kind, version);
  }
  return undefined;
}

/**
 * One sentence on why a kind is not served, after reading its CustomResourceDefinition. Fails as
 * `source-forbidden` when we may not read it: then it is not known whether the kind exists.
 */
export async function whyNotServed(
  client: KubeClient,
  kind: KubernetesKind,
  signal: AbortSignal,
): Promise<string> {
  const crd = crdNameOf(kind);
  if (!crd) return `The API server does not serve ${kind.resource}.`;
  const found = await orNotFound(
    readJson(client, `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd}`, signal),
  );
  return found === undefined
    ? `The cluster has no CustomResourceDefinition ${crd}.`
    : `CustomResourceDefinition ${crd} exists, but the API server serves none of its versions now.`;
}

async function orNotFound(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Failure && error.code === 'source-not-served') return undefined;
    throw error;
  }
}

function versionsOf(group: unknown): string[] {
  if (!isRecord(group) || !Array.isArray(group['versions'])) return [];
  const named = (list: unknown): string[] =>
    isRecord(list) && typeof list['version'] === 'string' ? [list['version']] : [];
  return [...new Set([...named(group['preferredVersion']), ...group['versions'].flatMap(named)])];
}

const serves = (list: unknown, kind: KubernetesKind): boolean =>
  isRecord(list) &&
  Array.isArray(list['resources']) &&
  list['resources'].some(
    (it) => isRecord(it) && it['name'] === kind.resource && it['kind'] === kind.kind,
  );
