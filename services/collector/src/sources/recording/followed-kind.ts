import { Failure } from '@ovn-steward/shared/errors';
import { kubernetesStream, type KubernetesKind } from '@ovn-steward/shared/kinds';
import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import { project, type Projected } from '@ovn-steward/systems/projections/project';
import type { Observation } from '../../source-kit/source';

/**
 * Follows one kind through a recorded watch. A list of none is complete. A list of n becomes
 * complete when n objects that were there before it have been seen: such an object first shows up
 * MODIFIED or DELETED, one born later is ADDED. Until then nothing says which objects are missing,
 * and none are published. After a second list the reckoning begins again, because the watch may
 * have missed what happened between.
 */
export class RecordedKind {
  readonly #kind: string;
  readonly #stream: string;
  #state: 'unlisted' | 'pending' | 'complete' | 'broken' = 'unlisted';
  #cursor = '';
  #missing = 0;
  /** While pending: every uid seen since the list, with the object while it is there. */
  #seen = new Map<string, Observation | undefined>();

  constructor({ kind }: Pick<KubernetesKind, 'kind'>) {
    this.#kind = kind;
    this.#stream = kubernetesStream(kind);
  }

  /** The watch (re)begins: `count` objects were there, which the recording may not hold. */
  list(line: { readonly resourceVersion: string; readonly count: number }): Observation[] {
    this.#cursor = line.resourceVersion;
    this.#missing = line.count;
    this.#seen = new Map();
    if (this.#missing === 0) return this.#completed();
    this.#state = 'pending';
    return this.#unavailable(
      'not-listed',
      `${line.count} of ${this.#kind} were there when the watch began; the recording does not hold them.`,
    );
  }

  event(
    { type, object }: { readonly type: string; readonly object: unknown },
    where: string,
  ): Observation[] {
    this.#cursor = versionOf(object) ?? this.#cursor;
    if (type === 'BOOKMARK') return [];
    if (type === 'ERROR')
      return this.#broken(
        `${where}: the API server ended the watch of ${this.#kind} with an error.`,
      );
    if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED')
      return this.#broken(`${where}: an event of type ${type} is not one of a Kubernetes watch.`);
    try {
      return this.#change(type, project(this.#kind, object));
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'object-malformed') throw error;
      return this.#broken(`${where}: ${error.message}`);
    }
  }

  /** Nothing while the kind is not complete: its stream has no watermark then. */
  progress(through: string): Observation[] {
    return this.#state === 'complete'
      ? [{ type: 'progress', stream: this.#stream, cursor: this.#cursor, through }]
      : [];
  }

  #change(type: string, { object, ...identity }: Projected): Observation[] {
    const at = { stream: this.#stream, kind: this.#kind };
    const observation: Observation =
      type === 'DELETED'
        ? { type: 'gone', ...at, ...identity }
        : { type: 'object', ...at, ...identity, object };
    if (this.#state === 'complete') return [observation];
    // Before the kind is known there is no full read these could be part of; `#completed` yields
    // them all.
    if (this.#state !== 'pending') return [];
    if (type !== 'ADDED' && !this.#seen.has(identity.uid)) this.#missing -= 1;
    this.#seen.set(identity.uid, type === 'DELETED' ? undefined : observation);
    return this.#missing === 0 ? this.#completed() : [];
  }

  #completed(): Observation[] {
    const at = { stream: this.#stream, kinds: [this.#kind] };
    const present = [...this.#seen.values()].filter((it) => it !== undefined);
    this.#state = 'complete';
    this.#seen = new Map();
    return [
      { type: 'begin', ...at },
      ...present,
      { type: 'complete', ...at, cursor: this.#cursor },
    ];
  }

  #broken(detail: string): Observation[] {
    this.#state = 'broken';
    return this.#unavailable('broken', detail);
  }

  #unavailable(reason: 'not-listed' | 'broken', detail: string): Observation[] {
    this.#seen = new Map();
    return [{ type: 'unavailable', stream: this.#stream, kinds: [this.#kind], reason, detail }];
  }
}

function versionOf(object: unknown): string | undefined {
  if (!isRecord(object) || !isRecord(object['metadata'])) return undefined;
  const { resourceVersion } = object['metadata'];
  return typeof resourceVersion === 'string' ? resourceVersion : undefined;
}
