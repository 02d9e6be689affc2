import { basename } from 'node:path';
import { Failure } from '@ovn-steward/shared/errors';
import {
  KUBERNETES_KINDS,
  kubernetesKind,
  kubernetesStream,
  type KubernetesKind,
} from '@ovn-steward/shared/kinds';
import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import { project } from '@ovn-steward/systems/projections/project';
import type { Observation } from '../source';
import type { DumpEntry } from './entry';
import { newKindRead, addObject, type KindRead } from './kind-read';
import type { DumpFile } from './layout';

const kinds = KUBERNETES_KINDS.map((it) => it.kind);

/**
 * The catalogue's entry for a type; undefined when it is a kind of another API group that happens
 * to have the name.
 */
function recognise(apiVersion: unknown, kind: unknown): KubernetesKind | undefined {
  const known = typeof kind === 'string' ? kubernetesKind(kind) : undefined;
  if (known === undefined || typeof apiVersion !== 'string') return known;
  return (apiVersion.includes('/') ? apiVersion.split('/')[0] : '') === known.group
    ? known
    : undefined;
}

/** The kinds an unreadable piece of text may have been; all of them when it gives no hint. */
function suspects(text: string): readonly string[] {
  const named = kinds.filter((kind) => new RegExp(`kind"?\\s*:\\s*"?${kind}\\b`).test(text));
  return named.length > 0 ? named : kinds;
}

const time = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) || 0 : 0);

/**
 * The newest time at which the API server is known to have touched the object: it was recorded then
 * or later.
 */
function touchedAt(raw: unknown): number {
  const metadata = isRecord(raw) && isRecord(raw['metadata']) ? raw['metadata'] : {};
  const managed: unknown[] = Array.isArray(metadata['managedFields'])
    ? metadata['managedFields']
    : [];
  return managed.reduce(
    (newest: number, it) => Math.max(newest, time(isRecord(it) ? it['time'] : undefined)),
    time(metadata['creationTimestamp']),
  );
}

/**
 * A typed list's version stands for its items', so that a version we do not read is noticed there
 * too.
 */
const withVersion = ({ raw, apiVersion }: DumpEntry & { entry: 'object' }): unknown =>
  isRecord(raw) && raw['apiVersion'] === undefined && apiVersion !== undefined
    ? { ...raw, apiVersion }
    : raw;

/** What a dump was found to hold so far. */
export interface DumpReader {
  readonly reads: ReadonlyMap<string, KindRead>;
  /** The newest time found in it, in ms since 1970; 0 when none was. */
  newest(): number;
  /** metadata.resourceVersion of the single list. */
  cursor(): string;
  /**
   * @throws Failure `input-not-a-dump` when the entry shows that the file is not what it was taken
   *   for.
   */
  take(file: DumpFile, entry: DumpEntry): Observation | undefined;
}

/**
 * Takes the entries of the dump's files, one after the other; what is wrong with an object is held
 * against its kind only.
 */
export function dumpReader(): DumpReader {
  const reads = new Map(kinds.map((kind) => [kind, newKindRead()]));
  let newest = 0;
  let cursor = '';
  const breakKind = (kind: string, detail: string): void => {
    const read = reads.get(kind) as KindRead;
    read.broken ??= detail;
  };

  function takeObject(
    file: DumpFile,
    entry: DumpEntry & { entry: 'object' },
  ): Observation | undefined {
    const at = `${basename(file.path)}, ${entry.where}`;
    if (typeof entry.kind !== 'string') {
      if (!entry.inList)
        throw new Failure(
          'input-not-a-dump',
          `${file.path} is not a dump of Kubernetes objects: ${entry.where} has no kind.${isRecord(entry.raw) && 'recv' in entry.raw ? ' It is a recorded watch, which is replayed, not audited.' : ''}`,
        );
      for (const kind of file.kind === undefined ? kinds : [file.kind.kind])
        breakKind(kind, `${at}: an object does not say its kind. Record it again.`);
      return undefined;
    }
    const kind = recognise(entry.apiVersion, entry.kind);
    if (file.kind !== undefined && kind !== file.kind)
      throw new Failure(
        'input-not-a-dump',
        `${file.path} should hold ${file.kind.kind} and nothing else, but ${entry.where} is of kind ${entry.kind}. Name the file after what it holds.`,
      );
    if (kind === undefined) return undefined;
    const read = reads.get(kind.kind) as KindRead;
    try {
      const projected = project(kind.kind, withVersion(entry));
      newest = Math.max(newest, touchedAt(entry.raw));
      if (addObject(read, projected))
        return {
          type: 'object',
          stream: kubernetesStream(kind.kind),
          kind: kind.kind,
          ...projected,
        };
      breakKind(
        kind.kind,
        `${at}: ${kind.kind} ${projected.name} (uid ${projected.uid}) is there twice. Record it again.`,
      );
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'object-malformed') throw error;
      read.count += 1;
      breakKind(kind.kind, `${at}: ${error.message}`);
    }
    return undefined;
  }

  return {
    reads,
    newest: () => newest,
    cursor: () => cursor,
    take(file, entry) {
      if (entry.entry === 'object') return takeObject(file, entry);
      if (entry.entry === 'broken') {
        for (const kind of file.kind === undefined ? suspects(entry.text) : [file.kind.kind])
          breakKind(
            kind,
            `${basename(file.path)}, ${entry.where}: the object is not readable: ${entry.why}. Record it again.`,
          );
        return undefined;
      }
      const { head } = entry;
      if (file.kind === undefined) cursor = head.resourceVersion;
      else if (head.kind !== undefined && recognise(head.apiVersion, head.kind) !== file.kind)
        throw new Failure(
          'input-not-a-dump',
          `${file.path} should hold ${file.kind.kind} and nothing else, but is a list of ${head.kind}. Name the file after what it holds.`,
        );
      else (reads.get(file.kind.kind) as KindRead).list = head;
      return undefined;
    },
  };
}
