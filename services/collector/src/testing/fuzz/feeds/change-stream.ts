import type { Change } from '@ovn-steward/contracts/changes/change';
import { memoryMirror } from '../../../mirror/mirror-memory';
import type { StreamOwner } from '../../../mirror/mirror';
import type { Observation } from '../../../source-kit/source';
import { ObservedStream } from '../../../stream/observed-stream';
import { HEARTBEAT_EVERY_MS } from './feed';

export const CLUSTER = 'fuzz';

/**
 * Observations → changes, as one collector makes them: by its streams and its mirror, nothing
 * beside them.
 */
export interface ChangeStream {
  /** @param now milliseconds since 1970. */
  collect(owner: StreamOwner, observations: Iterable<Observation>, now: number): void;
  /** What was reported since the last time. */
  take(): readonly Change[];
}

export function createChangeStream(): ChangeStream {
  const mirror = memoryMirror();
  const streams = new Map<string, ObservedStream>();
  let collected: Change[] = [];
  const streamOf = (name: string, owner: StreamOwner): ObservedStream => {
    let stream = streams.get(name);
    if (stream === undefined) {
      const options = { cluster: CLUSTER, owner, mirror, firstEpoch: 1 };
      stream = new ObservedStream(name, { ...options, heartbeatEveryMs: HEARTBEAT_EVERY_MS });
      streams.set(name, stream);
    }
    return stream;
  };
  const settle = (steps: ReturnType<ObservedStream['rest']>): void => {
    for (const { stream, writes, changes } of steps) {
      mirror.commit(stream, writes);
      collected.push(...changes);
    }
  };
  return {
    collect(owner, observations, now) {
      const at = new Date(now).toISOString();
      const touched = new Set<ObservedStream>();
      for (const observation of observations) {
        const stream = streamOf(observation.stream, owner);
        touched.add(stream);
        settle(stream.take(observation, at));
      }
      for (const it of touched) settle(it.rest());
    },
    take() {
      const taken = collected;
      collected = [];
      return taken;
    },
  };
}
