import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { SourceStatus } from '@ovn-steward/contracts/status/source-status';
import { encodeStatus } from '@ovn-steward/contracts/status/status-codec';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Channel } from './decisions';
import { followedFindings, knownBeside } from './followed-findings';

const STATUS = JSON.parse(
  readFileSync(join(__dirname, '../../../../contracts/examples/status.v1.complete.json'), 'utf8'),
) as SourceStatus;

const NOON = '2026-03-02T12:00:00.000Z';
const LATER = '2026-03-02T12:00:05.000Z';

/** A pipeline that finds something, and says so in its status, between any two readings. */
function pipeline(): Parameters<typeof knownBeside>[0] {
  const moments = [
    { freshThrough: NOON, findings: [] },
    { freshThrough: LATER, findings: [{ id: 'f' } as Finding] },
  ];
  return {
    findings: () => moments.shift()!.findings,
    statuses(visit) {
      const { freshThrough } = moments.shift()!;
      const { key, value } = encodeStatus({ ...STATUS, freshThrough }, new Date(freshThrough));
      const partition = partitionOf(STATUS.cluster, PARTITIONS);
      visit({ key, value: Buffer.from(value!), partition, offset: 0, timestamp: 0 });
    },
  };
}

test('no status vouches for findings that were read before it', () => {
  const { findings, sources } = knownBeside(pipeline());
  expect([findings.length, sources.map((it) => it.freshThrough)]).toEqual([1, [NOON]]);
});

test('nor does what a server says of its sources', async () => {
  const moments = [
    { complete: false, found: [] },
    { complete: true, found: [{ id: 'f' } as Finding] },
  ];
  const knowledge = () => ({
    findings: () => Promise.resolve(moments.shift()!.found),
    sources: () => Promise.resolve([{ complete: moments.shift()!.complete }]),
  });
  const server = { url: 'http://steward', knowledge };
  const followed = followedFindings({ server, cluster: 'c' } as unknown as Channel);
  const { findings, sources } = await followed.read();
  expect([findings.length, sources.map((it) => it.complete)]).toEqual([1, [false]]);
});
