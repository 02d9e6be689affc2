import type { Observation, Source } from '../../source-kit/source';
import { asOfNow } from './as-of-now';

const RECORDED: readonly (readonly Observation[])[] = [
  [
    { type: 'begin', stream: 'kubernetes/Pod', kinds: ['Pod'] },
    { type: 'complete', stream: 'kubernetes/Pod', kinds: ['Pod'], cursor: '7' },
  ],
  [{ type: 'progress', stream: 'kubernetes/Pod', cursor: '7', through: '2020-01-01T00:00:00Z' }],
];
const recording = (batches = RECORDED): Source => ({
  id: 'recording:x',
  source: 'kubernetes',
  streams: ['kubernetes/Pod'],
  async *observe() {
    yield* batches;
  },
});

test('what was recorded is said as of now, and stays so until the signal', async () => {
  const stop = new AbortController();
  let now = Date.parse('2026-01-01T00:00:00Z');
  const heard: Observation[] = [];
  for await (const batch of asOfNow(recording(), () => new Date((now += 1000))).observe(
    stop.signal,
  )) {
    heard.push(...batch);
    if (heard.length === 5) stop.abort();
  }
  expect(heard.slice(0, 2)).toEqual(RECORDED[0]);
  expect(heard.slice(2)).toEqual(
    ['01', '02', '03'].map((second) => ({
      type: 'progress',
      stream: 'kubernetes/Pod',
      cursor: '7',
      through: `2026-01-01T00:00:${second}.000Z`,
    })),
  );
});

test('a recording that says nothing of its time ends', async () => {
  const heard: Observation[] = [];
  for await (const batch of asOfNow(recording([RECORDED[0]!])).observe(
    new AbortController().signal,
  ))
    heard.push(...batch);
  expect(heard).toEqual(RECORDED[0]);
});
