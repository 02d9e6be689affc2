import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import type { Observation, Source } from '../source-kit/source';

/** uid → contents; what a source would show on a full read. */
export type Contents = Readonly<Record<string, Record<string, unknown>>>;

export const object = (
  uid: string,
  contents: Record<string, unknown>,
  stream = 's',
  kind = 'Pod',
): Observation => ({
  type: 'object',
  stream,
  kind,
  uid,
  namespace: 'shop',
  name: `name-${uid}`,
  object: contents,
});
export const gone = (uid: string, stream = 's', kind = 'Pod'): Observation => ({
  type: 'gone',
  stream,
  kind,
  uid,
  namespace: 'shop',
  name: `name-${uid}`,
});
export const begin = (stream = 's', kinds = ['Pod']): Observation => ({
  type: 'begin',
  stream,
  kinds,
});
export const complete = (cursor = '1', stream = 's', kinds = ['Pod']): Observation => ({
  type: 'complete',
  stream,
  kinds,
  cursor,
});
export const progress = (through: string, cursor = '2', stream = 's'): Observation => ({
  type: 'progress',
  stream,
  cursor,
  through,
});
export const unavailable = (
  reason: 'forbidden' | 'unreachable' = 'forbidden',
  stream = 's',
): Observation => ({ type: 'unavailable', stream, kinds: ['Pod'], reason, detail: 'because' });

export const fullRead = (contents: Contents, cursor = '1'): Observation[] => [
  begin(),
  ...Object.entries(contents).map(([uid, it]) => object(uid, it)),
  complete(cursor),
];

export type Part = readonly Observation[] | Error | 'wait';

/**
 * A source that plays one script per `observe`, the last one again and again: batches are yielded,
 * errors thrown, and `wait` lasts until the signal.
 */
export function scripted(
  id: string,
  scripts: readonly (readonly Part[])[],
  source: SourceId = 'kubernetes',
): Source & { observed(): number } {
  let observed = 0;
  return {
    id,
    source,
    streams: [],
    observed: () => observed,
    async *observe(signal) {
      const script = scripts[Math.min(observed++, scripts.length - 1)] ?? [];
      for (const part of script) {
        if (signal.aborted) return;
        if (part === 'wait')
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        else if (part instanceof Error) throw part;
        else yield part;
      }
    },
  };
}
