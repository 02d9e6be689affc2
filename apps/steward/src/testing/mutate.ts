import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { apiVersionOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import { nbEdit } from './nb-edit';
import type { NbEdit } from './nb-edit';
import { observe, RECORDINGS } from './truth';

/** A Kubernetes object as the API gives it; tests reach into it freely. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Raw = any;

interface Listed {
  complete: boolean;
  kinds: { kind: string; count: number }[];
}

/** A recording in the hands of a test. Objects are named `namespace/name` or `name`. */
export interface Mutation {
  readonly nb: NbEdit;
  readonly all: (kind: string) => readonly Raw[];
  /** Throws when there is none, so that no scenario tests nothing. */
  readonly get: (kind: string, key: string) => Raw;
  /** Adds an object; uid and creation time are made up when they are missing. Returns it. */
  readonly add: (kind: string, key: string, rest?: Raw) => Raw;
  readonly remove: (kind: string, key: string) => Raw;
  /** As if nobody had asked for the kind. */
  readonly forget: (kind: string) => void;
}

const keyOf = ({ metadata: { namespace, name } }: Raw): string =>
  namespace ? `${namespace}/${name}` : name;

let made = 0;

function mutationOf(items: Raw[], listed: Listed, nb: NbEdit): Mutation {
  const get = (kind: string, key: string): Raw => {
    const found = items.find((it) => it.kind === kind && keyOf(it) === key);
    if (!found) throw new Error(`no ${kind} ${key}`);
    return found;
  };
  return {
    nb,
    all: (kind) => items.filter((it) => it.kind === kind),
    get,
    add(kind, key, rest = {}) {
      const slash = key.indexOf('/');
      const metadata = {
        ...(slash < 0
          ? { name: key }
          : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }),
        uid: `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`,
        creationTimestamp: '2026-08-01T00:00:00Z',
        ...rest.metadata,
      };
      const known = kubernetesKind(kind);
      const object = { apiVersion: known ? apiVersionOf(known) : 'v1', kind, ...rest, metadata };
      items.push(object);
      if (!listed.kinds.some((it) => it.kind === kind))
        listed.kinds.push({
          kind,
          count: 0,
          ...(known
            ? {
                apiVersion: apiVersionOf(known),
                resource: known.resource,
                namespaced: known.namespaced,
              }
            : {}),
        } as never);
      return object;
    },
    remove(kind, key) {
      const object = get(kind, key);
      items.splice(items.indexOf(object), 1);
      return object;
    },
    forget(kind) {
      for (let i = items.length - 1; i >= 0; i--) if (items[i].kind === kind) items.splice(i, 1);
      listed.kinds = listed.kinds.filter((it) => it.kind !== kind);
    },
  };
}

/**
 * Writes a changed copy of a recording into a folder: `nb.db`, `kubernetes.json`, `listed.json`.
 * Counts in listed.json follow the objects.
 */
export function writeMutated(
  recording: string,
  change: (it: Mutation) => void,
  folder: string,
): void {
  const from = (file: string): string => join(RECORDINGS, recording, file);
  const list = JSON.parse(readFileSync(from('kubernetes.json'), 'utf8')) as { items: Raw[] };
  const listed = JSON.parse(readFileSync(from('listed.json'), 'utf8')) as Listed;
  const nb = nbEdit(from('nb.db'));
  change(mutationOf(list.items, listed, nb));
  for (const it of listed.kinds)
    it.count = list.items.filter((item) => item.kind === it.kind).length;
  writeFileSync(join(folder, 'kubernetes.json'), JSON.stringify(list));
  writeFileSync(join(folder, 'listed.json'), JSON.stringify(listed));
  writeFileSync(join(folder, 'nb.db'), nb.toText());
}

/** Changes a copy of a recording and audits it as `steward audit` would. */
export async function auditOf(recording: string, change: (it: Mutation) => void): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-mutated-'));
  try {
    writeMutated(recording, change, folder);
    return await observe(join(folder, 'nb.db'), folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
