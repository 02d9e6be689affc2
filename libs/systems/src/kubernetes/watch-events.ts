import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import { parseKubernetesJson } from '../projections/parse-kubernetes-json';
import { isRecord } from './is-record';
import type { KubeResponse } from './kube-client';
import { KubeFailure, statusFailure } from './kube-failure';
import { createLineSplitter } from './lines';

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: unknown }
  /** Everything up to this resourceVersion was sent. */
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

export interface WatchBatch {
  readonly events: readonly WatchEvent[];
  /**
   * When we last found the server with nothing left to say, in ms: what was read up to here is all
   * there was then.
   */
  readonly caughtUpAt: number;
}

/**
 * The events of an open watch, as many at a time as one read of the socket brought. Returns when
 * the server ends the watch in good order, after a last batch without events. A line that is cut,
 * not UTF-8, not JSON or of an unknown type means that we no longer know what was said: the watch
 * fails as `source-expired` and the kind is read again. (A connection that breaks inside a line is
 * not that: HTTP shows it, and a request from the same position gets the same event again.)
 */
export async function* watchEvents(
  answer: KubeResponse,
  kind: KubernetesKind,
  now: () => number,
): AsyncGenerator<WatchBatch> {
  const lines = createLineSplitter();
  let caughtUpAt = now();
  for await (const { chunk, waited } of markingWaits(answer.bytes)) {
    if (waited) caughtUpAt = now();
    const complete = chunk ? lines.push(chunk) : [];
    if (!complete) throw torn(kind, 'sent a line that is too long or not UTF-8');
    if (complete.length > 0) yield { events: complete.map((it) => eventOf(it, kind)), caughtUpAt };
  }
  if (lines.pending > 0) throw torn(kind, 'ended in the middle of a line');
  yield { events: [], caughtUpAt };
}

/**
 * Says whether a chunk (or, as undefined, the end) had to be waited for or was lying in the socket
 * already. After a slow consumer, what we read now may be minutes old, and its time of receipt
 * would claim to know more than we do.
 */
async function* markingWaits(
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<{ chunk: Buffer | undefined; waited: boolean }> {
  const iterator = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      let waited = false;
      // Bytes that are already there arrive within the event loop's next poll; the second check
      // phase is after it.
      setImmediate(() =>
        setImmediate(() => {
          waited = true;
        }),
      );
      const next = await iterator.next();
      yield { chunk: next.done ? undefined : next.value, waited };
      if (next.done) return;
    }
  } finally {
    await iterator.return?.();
  }
}

function eventOf(line: string, kind: KubernetesKind): WatchEvent {
  let event: unknown;
  try {
    event = parseKubernetesJson(line);
  } catch {
    throw torn(kind, 'sent a line that is not JSON');
  }
  const { type, object } = isRecord(event) ? event : {};
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object };
    case 'BOOKMARK': {
      const metadata = isRecord(object) && isRecord(object['metadata']) ? object['metadata'] : {};
      const resourceVersion = metadata['resourceVersion'];
      if (typeof resourceVersion !== 'string' || resourceVersion === '')
        throw torn(kind, 'sent a bookmark without resourceVersion');
      return { type, resourceVersion };
    }
    case 'ERROR': {
      const code = isRecord(object) && typeof object['code'] === 'number' ? object['code'] : 500;
      throw statusFailure(`The watch of ${kind.kind}`, code, JSON.stringify(object));
    }
    default:
      throw torn(kind, `sent an event of type ${String(type).slice(0, 40)}`);
  }
}

const torn = (kind: KubernetesKind, what: string): KubeFailure =>
  new KubeFailure('source-expired', `The watch of ${kind.kind} ${what}. It is read again.`);
