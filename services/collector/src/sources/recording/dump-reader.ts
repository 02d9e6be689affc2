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
import type { Observation } from '../../source-kit/source';
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

/**
 * Takes the entries of the dump's files, one after the other; what is wrong with an object is held
 * against its kind only.
 */
export class DumpReader {
  readonly #reads = new Map(kinds.map((kind) => [kind, newKindRead()]));
  #newest = 0;
  #cursor = '';

  /** What the dump was found to hold so far. */
  get reads(): ReadonlyMap<string, KindRead> {
    return this.#reads;
  }

  /** The newest time found in it, in ms since 1970; 0 when none was. */
  newest(): number {
    return this.#newest;
  }

  /** metadata.resourceVersion of the single list. */
  cursor(): string {
    return this.#cursor;
  }

  /**
   * @throws Failure `input-not-a-dump` when the entry shows that the file is not what it was taken
   *   for.
   */
  take(file: DumpFile, entry: DumpEntry): Observation | undefined {
    switch (entry.entry) {
      case 'object':
        return this.#takeObject(file, entry);
      case 'broken':
        this.#takeBroken(file, entry);
        return undefined;
      case 'list':
        this.#takeList(file, entry);
        return undefined;
    }
  }

  #takeObject(file: DumpFile, entry: Entry<'object'>): Observation | undefined {
    if (typeof entry.kind !== 'string') {
      this.#takeWithoutKind(file, entry);
      return undefined;
    }
    const kind = recognise(entry.apiVersion, entry.kind);
    if (file.kind !== undefined && kind !== file.kind)
      throw notWhatItIsCalled(file, file.kind, `${entry.where} is of kind ${entry.kind}`);
    return kind && this.#takeOfKind(kind.kind, file, entry);
  }

  #takeOfKind(kind: string, file: DumpFile, entry: Entry<'object'>): Observation | undefined {
    const at = placeOf(file, entry);
    const read = this.#readOf(kind);
    try {
      const projected = project(kind, withVersion(entry));
      this.#newest = Math.max(this.#newest, touchedAt(entry.raw));
      if (addObject(read, projected))
        return { type: 'object', stream: kubernetesStream(kind), kind, ...projected };
      read.broken ??= `${at}: ${kind} ${projected.name} (uid ${projected.uid}) is there twice. Record it again.`;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'object-malformed') throw error;
      read.count += 1;
      read.broken ??= `${at}: ${error.message}`;
    }
    return undefined;
  }

  #takeWithoutKind(file: DumpFile, entry: Entry<'object'>): void {
    if (!entry.inList)
      throw new Failure(
        'input-not-a-dump',
        `${file.path} is not a dump of Kubernetes objects: ${entry.where} has no kind.${isRecord(entry.raw) && 'recv' in entry.raw ? ' It is a recorded watch, which is replayed, not audited.' : ''}`,
      );
    for (const kind of file.kind === undefined ? kinds : [file.kind.kind])
      this.#readOf(kind).broken ??=
        `${placeOf(file, entry)}: an object does not say its kind. Record it again.`;
  }

  #takeBroken(file: DumpFile, entry: Entry<'broken'>): void {
    for (const kind of file.kind === undefined ? suspects(entry.text) : [file.kind.kind])
      this.#readOf(kind).broken ??=
        `${placeOf(file, entry)}: the object is not readable: ${entry.why}. Record it again.`;
  }

  #takeList(file: DumpFile, { head }: Entry<'list'>): void {
    if (file.kind === undefined) this.#cursor = head.resourceVersion;
    else if (head.kind !== undefined && recognise(head.apiVersion, head.kind) !== file.kind)
      throw notWhatItIsCalled(file, file.kind, `is a list of ${head.kind}`);
    else this.#readOf(file.kind.kind).list = head;
  }

  #readOf(kind: string): KindRead {
    return this.#reads.get(kind) as KindRead;
  }
}

type Entry<E extends DumpEntry['entry']> = DumpEntry & { entry: E };

const placeOf = (file: DumpFile, { where }: { readonly where: string }): string =>
  `${basename(file.path)}, ${where}`;

const notWhatItIsCalled = (file: DumpFile, { kind }: KubernetesKind, but: string): Failure =>
  new Failure(
    'input-not-a-dump',
    `${file.path} should hold ${kind} and nothing else, but ${but}. Name the file after what it holds.`,
  );
