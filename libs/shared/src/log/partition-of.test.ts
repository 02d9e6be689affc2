import * as fc from 'fast-check';
import { murmur2, partitionOf } from './partition-of';

describe('partitionOf', () => {
  // The vectors of Kafka's own test of its hash (org.apache.kafka.common.utils.UtilsTest).
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('hashes %s as Kafka does', (text, hash) => {
    expect(murmur2(Buffer.from(text))).toBe(hash);
  });

  it('stays within the partitions, and is the same every time', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 64 }), (cluster, partitions) => {
        const partition = partitionOf(cluster, partitions);
        expect(Number.isInteger(partition) && partition >= 0 && partition < partitions).toBe(true);
        expect(partitionOf(cluster, partitions)).toBe(partition);
      }),
    );
    expect(partitionOf('abc', 12)).toBe(479470107 % 12);
  });

  it('spreads clusters over all partitions', () => {
    expect(
      new Set(Array.from({ length: 500 }, (_, n) => partitionOf(`cluster-${n}`, 12))).size,
    ).toBe(12);
  });
});
