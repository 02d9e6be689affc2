import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceKnowledge } from '@ovn-steward/client';
import { doubtAboutSources } from './source-doubt';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const SAMPLE = JSON.parse(
  readFileSync(join(__dirname, '../../../../contracts/examples/status.v1.complete.json'), 'utf8'),
) as SourceKnowledge;
const source = (name: string, more: Partial<SourceKnowledge> = {}): SourceKnowledge => ({
  ...SAMPLE,
  source: name,
  complete: true,
  freshThrough: '2026-03-02T11:59:30Z',
  incomplete: [],
  withheld: [],
  pairing: 'paired',
  caughtUp: true,
  ...more,
});
const doubt = (
  kubernetes: Partial<SourceKnowledge> = {},
  more: readonly SourceKnowledge[] = [],
): string | undefined =>
  doubtAboutSources(
    [source('ovn-nb'), source('kubernetes', kubernetes), ...more],
    'the cluster berlin-1',
    NOW,
  );

test('where all is known there is no doubt', () => expect(doubt()).toBeUndefined());

test.each<[string, Partial<SourceKnowledge>, RegExp]>([
  [
    'a source that is old',
    { freshThrough: '2026-03-02T09:00:00Z' },
    /last reported 3\.0 hours ago/,
  ],
  ['one that never reported', { freshThrough: null }, /kubernetes never reported/],
  [
    'a kind that may not be read',
    {
      complete: false,
      incomplete: [{ kind: 'Pod', state: 'unavailable', reason: 'forbidden' }],
    },
    /Of kubernetes not known: Pod \(forbidden\)\./,
  ],
  [
    'a kind that is still listed',
    { complete: false, incomplete: [{ kind: 'Pod', state: 'listing' }] },
    /kubernetes is still being read/,
  ],
  [
    'rules that report nothing',
    { withheld: ['a', 'b', 'c', 'd', 'e', 'f'].map((rule) => ({ rule, reason: 'no Pod' })) },
    /6 rules report nothing now: a, b, c, d, e and 1 more\. The first because: no Pod\./,
  ],
  ['another cluster', { pairing: 'mispaired' }, /are not one cluster/],
  ['findings that were not read', { caughtUp: false }, /Findings of kubernetes are missing/],
  [
    'a state of a later version',
    { complete: false, incomplete: [{ kind: 'Pod', state: 'sampled' }] },
    /not known: Pod \(sampled\)/,
  ],
])('%s is said', (_what, more, text) => expect(doubt(more)).toMatch(text));

test('a source without any status is one that never reported', () => {
  expect(doubtAboutSources([source('ovn-nb')], 'x', NOW)).toMatch(/kubernetes never reported/);
});

test('a Southbound that is not collected withholds nothing', () => {
  const withheld = [{ rule: 'port-down', reason: 'the Southbound is not read' }];
  const southbound = source('ovn-sb', { complete: false, freshThrough: null, withheld });
  expect(doubt({}, [southbound])).toBeUndefined();
});
