import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { SourceStatus } from './source-status';
import { decodeStatus, encodeStatus } from './status-codec';

const CONTRACTS = join(__dirname, '../../../../contracts');
const sample = (path: string): SourceStatus =>
  JSON.parse(readFileSync(join(CONTRACTS, path), 'utf8')) as SourceStatus;
const SAMPLES = ['examples', 'later-versions'].flatMap((folder) =>
  readdirSync(join(CONTRACTS, folder))
    .filter((it) => it.startsWith('status.'))
    .map((it) => `${folder}/${it}`),
);
const STATUS = sample('examples/status.v1.blind.json');
const PARTITION = partitionOf(STATUS.cluster, PARTITIONS);
const AT = new Date('2026-03-02T10:21:09.004Z');

const stored = ({ key, value }: NewRecord): Pick<LogRecord, 'key' | 'value'> => ({
  key,
  value: value === null ? null : Buffer.from(value),
});
const reading = (status: unknown, key = 'berlin-1/kubernetes'): unknown =>
  decodeStatus(PARTITION, { key, value: Buffer.from(JSON.stringify(status)) });

test.each(SAMPLES)('%s comes back as it is, with what this version does not know', (path) => {
  const status = sample(path);
  const record = encodeStatus(status, AT);
  expect(record).toMatchObject({
    key: `${status.cluster}/${status.source}`,
    headers: { 'content-type': 'application/json', analyzer: status.analyzer.id },
    timestamp: AT.getTime(),
  });
  expect(decodeStatus(PARTITION, stored(record))).toEqual({ status });
});

test('a tombstone names what is forgotten', () => {
  expect(decodeStatus(PARTITION, { key: 'berlin-1/ovn-nb', value: null })).toEqual({
    forgotten: 'berlin-1/ovn-nb',
  });
});

test.each([
  ['another version', { ...STATUS, version: 2 }, /^not a status of ver/],
  ['no cluster', { ...STATUS, cluster: '' }, /cluster/],
  ['an offset that is none', { ...STATUS, findingsThrough: 'all' }, /findingsThrough/],
])('%s is no status, with the reason', (_, status, why) => {
  expect(reading(status)).toEqual({ poison: expect.stringMatching(why) as string });
});

test('what stands where it does not belong is poison', () => {
  expect(reading(STATUS, 'berlin-1/ovn-nb')).toEqual({
    poison: 'its key is not berlin-1/kubernetes',
  });
  const other = (PARTITION + 1) % PARTITIONS;
  expect(decodeStatus(other, stored(encodeStatus(STATUS, AT)))).toEqual({
    poison: `the status of cluster berlin-1 belongs to partition ${PARTITION}`,
  });
});

test('whatever lies there, reading never throws', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, key) => {
      expect(Object.keys(reading(value, key) as object)).toHaveLength(1);
    }),
  );
});
