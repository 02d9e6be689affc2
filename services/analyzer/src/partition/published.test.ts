import { findingEvent } from '@ovn-steward/contracts/findings/finding-event';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { FINDINGS, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { readPublished } from './published';

const PARTITION = partitionOf('test', PARTITIONS);
const AT = '2026-01-01T00:00:00.000Z';
const finding = (id: string, cluster = 'test'): Finding => ({
  id,
  cluster,
  rule: 'r',
  class: 'garbage',
  severity: 'info',
  state: 'suspected',
  revision: 1,
  subject: { source: 'ovn-nb', kind: 'ACL', uid: 'u', name: 'n' },
  concerns: [],
  owner: { owner: 'kube-ovn', verdict: 'candidate', confidence: 3, evidence: [] },
  summary: 's',
  proof: [],
  remedy: null,
  firstSeen: AT,
  lastSeen: AT,
  confirmedAt: null,
  resolvedAt: null,
});

let log: Log;
beforeEach(async () => {
  log = openSqliteLog({ file: ':memory:' });
  await log.ensureTopics(TOPICS);
});
afterEach(() => log.close());

const append = (key: string, found: Finding): Promise<unknown> =>
  log.append(FINDINGS, PARTITION, [
    { key, value: JSON.stringify(findingEvent(found)), timestamp: Date.parse(AT) },
  ]);

it('takes back what stands under its own key, in the partition of its cluster, and nothing else', async () => {
  await append('own', finding('own'));
  await append('own', { ...finding('another'), revision: 9 });
  await append('elsewhere', finding('elsewhere', 'north'));
  const { findings } = await readPublished(log, PARTITION);
  expect(findings.map((it) => [it.id, it.revision])).toEqual([['own', 1]]);
});

it.each([
  ['class', { class: 'excess' }],
  ['state', { state: 'muted' }],
  ['severity', { severity: 'fatal' }],
  ['fact', { proof: [{ fact: 'idle', since: 'yesterday' }] }],
])('keeps since when a finding with a %s of a later version is there', async (_, more) => {
  const later: Finding = { ...finding('later'), revision: 7, ...(more as Partial<Finding>) };
  await append('later', later);
  const { findings } = await readPublished(log, PARTITION);
  expect(findings).toEqual([later]);
  expect(findings[0]!.firstSeen).toBe(AT);
});
