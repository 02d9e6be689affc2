import { KUBERNETES_STREAMS } from '@ovn-steward/shared/kinds';
import type { Observation, Source } from '../source-kit/source';
import { readingOf } from './reading';

const source = (...batches: (readonly Observation[] | Error)[]): Source => ({
  id: 'ovn-nb',
  source: 'ovn-nb',
  streams: ['ovn-nb'],
  async *observe() {
    for (const batch of batches) {
      if (batch instanceof Error) throw batch;
      yield batch;
    }
  },
});
const BEGIN: Observation = { type: 'begin', stream: 'ovn-nb', kinds: [] };
const COMPLETE: Observation = { type: 'complete', stream: 'ovn-nb', kinds: [], cursor: '' };
const unavailable = (reason: 'unreachable' | 'forbidden'): Observation => ({
  type: 'unavailable',
  stream: 'ovn-nb',
  kinds: [],
  reason,
  detail: reason,
});

/** Reads to the end; the states seen before each batch and at the end. */
async function states(...batches: (readonly Observation[] | Error)[]): Promise<string[]> {
  const reading = readingOf([source(...batches)]);
  const seen: string[] = [];
  const observe = (): void => {
    seen.push(`${reading.streams()[0]!.state}${reading.missing().length > 0 ? ', missing' : ''}`);
  };
  try {
    for await (const _ of reading.sources[0]!.observe(new AbortController().signal)) observe();
  } catch {
    /* asserted below */
  }
  observe();
  return seen;
}

test('a stream is complete once its full read was taken, not before', async () => {
  expect(await states([BEGIN], [COMPLETE])).toEqual([
    'silent, missing',
    'reading, missing',
    'complete',
  ]);
});

test('what is refused is answered; what cannot be reached is missing', async () => {
  expect(await states([unavailable('forbidden')])).toEqual(['silent, missing', 'answered']);
  expect(await states([BEGIN, COMPLETE], [unavailable('unreachable')])).toEqual([
    'silent, missing',
    'complete',
    'unavailable, missing',
  ]);
});

test('a source that fails takes its streams with it', async () => {
  expect(await states([BEGIN, COMPLETE], new Error('connection lost'))).toEqual([
    'silent, missing',
    'unavailable, missing',
  ]);
});

test('every stream of a source is waited for', () => {
  const reading = readingOf([
    {
      id: 'k',
      source: 'kubernetes',
      streams: KUBERNETES_STREAMS,
      async *observe() {
        yield [];
      },
    },
  ]);
  expect(reading.missing().map((it) => it.what)).toContain('kubernetes/Pod');
  expect(reading.missing()).toHaveLength(reading.streams().length);
});
