import { batchBytes } from './batch-bytes';
import { weighBatch } from './weigh-batch';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;
const record = (key: string, value: string | null = 'x', timestamp = NOW) => ({
  key,
  value,
  timestamp,
});
const topic = { name: 't', maxMessageBytes: 1000 };
const refusal = (...mentions: string[]) =>
  expect.objectContaining({
    code: 'log-record-refused',
    message: expect.stringMatching(mentions.join('.*')),
  });

describe('weighBatch', () => {
  it('says what the batch weighs', () => {
    const records = [record('a'), record('b', null), record('c', 'ü'.repeat(100))];
    expect(weighBatch(topic, records, NOW)).toBe(batchBytes(records));
  });

  it('names the record that is too large by itself', () => {
    expect(() =>
      weighBatch(topic, [record('a'), record('big', 'x'.repeat(1000)), record('b')], NOW),
    ).toThrow(refusal('"big"', '1000: ', 'Nothing of the batch was appended to t'));
  });

  it('says how to cut records that are too large together', () => {
    expect(() =>
      weighBatch(topic, [record('a', 'x'.repeat(450)), record('b', 'x'.repeat(450))], NOW),
    ).toThrow(refusal('2 records', 'inBatches'));
  });

  it.each([NaN, -1, 1.5, 2 ** 60])('takes %p for no time', (timestamp) => {
    expect(() => weighBatch(topic, [record('a', 'x', timestamp)], NOW)).toThrow(
      refusal('"a"', 'not a time'),
    );
  });

  it('takes what is an hour ahead, and no more', () => {
    expect(
      weighBatch(topic, [record('a', 'x', NOW + HOUR), record('b', 'x', 0)], NOW),
    ).toBeGreaterThan(0);
    expect(() =>
      weighBatch(topic, [record('a'), record('late', 'x', NOW + HOUR + 1)], NOW),
    ).toThrow(refusal('"late"', 'ahead', '2023-11-14'));
  });

  it('takes no empty batch', () => {
    expect(() => weighBatch(topic, [], NOW)).toThrow(RangeError);
  });
});
