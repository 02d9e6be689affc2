import { KUBERNETES_KINDS, type KubernetesKind } from '@ovn-steward/shared/kinds';
import { Failure } from '@ovn-steward/shared/errors';
import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import type { Observation } from '../../source-kit/source';
import { readEntries } from './entries';
import { RecordedKind } from './followed-kind';

/** The path the API serves a kind's collection at, for all namespaces. */
const pathOf = (kind: KubernetesKind): string =>
  kind.group === ''
    ? `/api/${kind.version}/${kind.resource}`
    : `/apis/${kind.group}/${kind.version}/${kind.resource}`;

const KIND_BY_PATH = new Map(KUBERNETES_KINDS.map((it) => [pathOf(it), it]));

interface Line {
  /** Seconds since 1970. */
  readonly recv: number;
  readonly path: string;
  readonly list?: { readonly resourceVersion: string; readonly count: number };
  readonly event?: { readonly type: string; readonly object: unknown };
}

/** In seconds since 1970: RFC 3339 has years of four digits. */
const YEAR_10000 = 253_402_300_800;

function lineOf(raw: unknown, where: string, path: string): Line {
  const line = isRecord(raw) ? raw : {};
  const { recv, list, event } = line;
  const sound =
    typeof recv === 'number' &&
    recv >= 0 &&
    recv < YEAR_10000 &&
    typeof line['path'] === 'string' &&
    (isRecord(list)
      ? Number.isSafeInteger(list['count']) && typeof list['resourceVersion'] === 'string'
      : isRecord(event) && typeof event['type'] === 'string');
  if (!sound)
    throw new Failure(
      'input-not-a-dump',
      `${path}, ${where}: not a line of a recorded watch ({recv, path, list or event}). See docs/recordings.md.`,
    );
  return raw as Line;
}

const rfc3339 = (seconds: number): string => new Date(seconds * 1000).toISOString();

/**
 * Replays a recorded watch in the order it was received; gives, at its end, the time of the last
 * line (ms) through `ended`. Kinds outside the catalogue are passed over. Time moves at least every
 * second of the recording, for all complete kinds together.
 *
 * @throws Failure as `readEntries` does, and `input-unreadable` when lines are not in the order of
 *   their time.
 */
export async function* replayWatch(
  path: string,
  signal: AbortSignal,
  ended: (lastMs: number) => void,
): AsyncIterable<readonly Observation[]> {
  const followed = new Map<string, RecordedKind>();
  let last = 0;
  let emitted = 0;
  const progress = (): Observation[] => {
    emitted = last;
    return [...followed.values()].flatMap((it) => it.progress(rfc3339(last)));
  };
  for await (const entries of readEntries(path)) {
    for (const entry of entries) {
      if (signal.aborted) return;
      if (entry.entry !== 'object')
        throw new Failure(
          'input-not-a-dump',
          `${path}: ${entry.entry === 'broken' ? `${entry.where} is not readable: ${entry.why}` : 'it holds a list, not a watch'}. See docs/recordings.md.`,
        );
      const line = lineOf(entry.raw, entry.where, path);
      if (line.recv < last)
        throw new Failure(
          'input-unreadable',
          `${path}, ${entry.where}: received before the line above it; sort the lines by recv.`,
        );
      if (emitted > 0 && line.recv - emitted >= 1) yield progress();
      last = line.recv;
      emitted ||= last;
      const kind = KIND_BY_PATH.get(line.path);
      if (kind === undefined) continue;
      const follower = followed.get(kind.kind) ?? new RecordedKind(kind);
      followed.set(kind.kind, follower);
      const observations =
        line.list === undefined
          ? follower.event(line.event as NonNullable<Line['event']>, entry.where)
          : follower.list(line.list);
      yield [...observations, ...follower.progress(rfc3339(last))];
    }
  }
  yield progress();
  ended(last * 1000);
}
