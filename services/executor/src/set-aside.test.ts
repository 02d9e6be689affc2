import { DeadLetter } from '@ovn-steward/shared/events/dead-letter';
import { setAside } from './set-aside';
import { NOW } from './testing/findings';

const BATCH = { topic: 'steward.findings.v1', partition: 4 };
const RECORD = { offset: 17n, key: 'k', value: Buffer.from([0xff, 0x00, 0x7b]), headers: { changes: '4/1-2' }, timestamp: 1 };

test('keeps where it was, the very bytes, and why', () => {
  const { key, value, timestamp } = setAside(BATCH, RECORD, 'not JSON', NOW);
  const letter = DeadLetter.parse(JSON.parse(String(value)));
  expect([key, timestamp]).toEqual(['k', NOW.getTime()]);
  expect(letter).toEqual({
    version: 1, id: 'steward.findings.v1/4/17', topic: 'steward.findings.v1', partition: 4, offset: '17', key: 'k', headers: { changes: '4/1-2' },
    value: '/wB7', truncated: false, by: 'executor', at: NOW.toISOString(), why: 'not JSON',
  });
});

test('the same record has the same id later', () => {
  const id = (now: Date): unknown => (JSON.parse(String(setAside(BATCH, RECORD, 'x', now).value)) as { id: unknown }).id;
  expect(id(NOW)).toBe(id(new Date(NOW.getTime() + 1)));
});
