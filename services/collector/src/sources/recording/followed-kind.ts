import { Failure } from '@ovn-steward/shared/errors';
import { kubernetesStream, type KubernetesKind } from '@ovn-steward/shared/kinds';
import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import { project, type Projected } from '@ovn-steward/systems/projections/project';
import type { Observation } from '../source';

/** One kind of a recorded watch. */
export interface RecordedKind {
  /** The watch (re)begins: `count` objects were there, which the recording may not hold. */
  list(line: { readonly resourceVersion: string; readonly count: number }): Observation[];
  event(event: { readonly type: string; readonly object: unknown }, where: string): Observation[];
  /** Nothing while the kind is not complete: its stream has no watermark then. */
  progress(through: string): Observation[];
}

/**
 * Follows one kind through a recorded watch. A list of none is complete. A list of n becomes
 * complete when n objects that were there before it have been seen: such an object first shows up
 * MODIFIED or DELETED, one born later is ADDED. Until then nothing says which objects are missing,
 * and none are published. After a second list the reckoning begins again, because the watch may
 * have missed what happened between.
 */
export function followKind(kind: KubernetesKind): RecordedKind {
  const stream = kubernetesStream(kind.kind);
  const kinds = [kind.kind];
  let state: 'unlisted' | 'pending' | 'complete' | 'broken' = 'unlisted';
  let cursor = '';
  let missing = 0;
  /** While pending: every uid seen since the list, with the object while it is there. */
  let seen = new Map<string, Observation | undefined>();

  function unavailable(reason: 'not-listed' | 'broken', detail: string): Observation[] {
    seen = new Map();
    return [{ type: 'unavailable', stream, kinds, reason, detail }];
  }

  function completed(): Observation[] {
    const present = [...seen.values()].filter((it) => it !== undefined);
    state = 'complete';
    seen = new Map();
    return [
      { type: 'begin', stream, kinds },
      ...present,
      { type: 'complete', stream, kinds, cursor },
    ];
  }

  function change(type: string, projected: Projected): Observation[] {
    const { object, ...identity } = projected;
    const observation: Observation =
      type === 'DELETED'
        ? { type: 'gone', stream, kind: kind.kind, ...identity }
        : { type: 'object', stream, kind: kind.kind, ...identity, object };
    if (state === 'complete') return [observation];
    // Before the kind is known there is no full read these could be part of; `completed` yields
    // them all.
    if (state !== 'pending') return [];
    if (type !== 'ADDED' && !seen.has(projected.uid)) missing -= 1;
    seen.set(projected.uid, type === 'DELETED' ? undefined : observation);
    return missing === 0 ? completed() : [];
  }

  function broken(detail: string): Observation[] {
    state = 'broken';
    return unavailable('broken', detail);
  }

  return {
    list(line) {
      cursor = line.resourceVersion;
      missing = line.count;
      seen = new Map();
      if (missing === 0) return completed();
      state = 'pending';
      return unavailable(
        'not-listed',
        `${line.count} of ${kind.kind} were there when the watch began; the recording does not hold them.`,
      );
    },
    event({ type, object }, where) {
      const version =
        isRecord(object) && isRecord(object['metadata'])
          ? object['metadata']['resourceVersion']
          : undefined;
      if (typeof version === 'string') cursor = version;
      if (type === 'BOOKMARK') return [];
      if (type === 'ERROR')
        return broken(`${where}: the API server ended the watch of ${kind.kind} with an error.`);
      if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED')
        return broken(`${where}: an event of type ${type} is not one of a Kubernetes watch.`);
      try {
        return change(type, project(kind.kind, object));
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'object-malformed') throw error;
        return broken(`${where}: ${error.message}`);
      }
    },
    progress: (through) =>
      state === 'complete' ? [{ type: 'progress', stream, cursor, through }] : [],
  };
}
