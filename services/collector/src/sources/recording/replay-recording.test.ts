import type { Source } from '../../source-kit/source';
import { replayRecording } from './replay-recording';

const LAST = '2026-05-04T12:00:00.000Z';
const recorded: Source = {
  id: 'recorded',
  source: 'ovn-nb',
  streams: ['ovn-nb'],
  async *observe() {
    yield [{ type: 'progress', stream: 'ovn-nb', cursor: '', through: LAST }];
  },
};

test.each<[string, Date | undefined, () => number]>([
  [
    'where an earlier replay was',
    new Date('2026-05-04T11:00:00Z'),
    () => Date.parse('2026-05-04T11:00:00Z'),
  ],
  ['ours, where there was none', undefined, Date.now],
])(
  'before the recording says its time the clock is %s; then it is the recording’s',
  async (_, before, at) => {
    const { sources, clock } = replayRecording([recorded], 1, before);
    expect(Math.abs(clock().getTime() - at())).toBeLessThan(60_000);
    const stop = new AbortController();
    for await (const batch of sources[0]!.observe(stop.signal)) {
      expect(batch).toEqual([expect.objectContaining({ through: LAST })]);
      expect(clock()).toEqual(new Date(LAST));
      break;
    }
    stop.abort();
  },
);
