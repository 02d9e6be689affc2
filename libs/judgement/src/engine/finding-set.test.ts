import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Finding } from '@ovn-steward/contracts/findings/finding';
import { FindingSet } from './finding-set';
import type { SuppressedBy } from './suppression';

const SAMPLE = join(
  __dirname,
  '..',
  '..',
  '..',
  '..',
  'contracts',
  'examples',
  'finding.v1.suspected.json',
);
const finding = (revision: number, state: Finding['state'] = 'suspected'): Finding => ({
  ...Finding.parse(JSON.parse(readFileSync(SAMPLE, 'utf8'))),
  revision,
  state,
  resolvedAt: state === 'resolved' ? '2026-01-01T00:00:00Z' : null,
});
const brief = (findings: readonly Finding[]): [number, string][] =>
  findings.map((it) => [it.revision, it.state]);

it('passes over no revision, however often a finding changes between two askings', () => {
  const ledger = new FindingSet();
  const change = (state: Finding['state']): void =>
    ledger.set(finding((ledger.get(finding(1).id)?.revision ?? 0) + 1, state));
  change('suspected');
  change('confirmed');
  expect(brief(ledger.takeChanged())).toEqual([[1, 'confirmed']]);
  change('suspected');
  expect(brief(ledger.takeChanged())).toEqual([[2, 'suspected']]);
  change('confirmed');
  change('suspected');
  change('resolved');
  expect(brief(ledger.takeChanged())).toEqual([[3, 'resolved']]);
  expect(brief(ledger.resolved())).toEqual([[3, 'resolved']]);
  expect(ledger.takeChanged()).toEqual([]);
});

it('goes on where an earlier run ended', () => {
  const ledger = new FindingSet();
  ledger.recall(finding(7));
  ledger.set(finding(8, 'confirmed'));
  ledger.set(finding(9, 'resolved'));
  expect(brief(ledger.takeChanged())).toEqual([[8, 'resolved']]);
});

it('passes over no revision where two steps of a life come as one change', () => {
  const set = new FindingSet();
  set.recall(finding(246));
  set.set(finding(248));
  expect(brief(set.takeChanged())).toEqual([[247, 'suspected']]);
});

describe('what is suppressed', () => {
  const BY_ANNA = {
    kind: 'suppress',
    selector: { rule: 'r' },
    reason: 'known',
    by: 'anna',
    at: '2026-01-01T00:00:00Z',
    until: null,
  } as const;
  let by: ReturnType<SuppressedBy>;
  let set: FindingSet;
  beforeEach(() => {
    by = BY_ANNA;
    set = new FindingSet(() => by);
  });
  const shown = (): unknown =>
    set.takeChanged().map((it) => [it.revision, it.state, it.suppressed?.state]);

  it('is shown so, and remembered as what it would be', () => {
    set.set(finding(1, 'confirmed'));
    expect(set.get(finding(1).id)?.state).toBe('confirmed');
    expect(shown()).toEqual([[1, 'suppressed', 'confirmed']]);
    expect(set.open()[0]?.suppressed).toEqual({
      state: 'confirmed',
      selector: { rule: 'r' },
      reason: 'known',
      by: 'anna',
      since: '2026-01-01T00:00:00Z',
      until: null,
    });
  });

  it('is open again when that is over, each time as a change', () => {
    by = undefined;
    set.set(finding(1, 'confirmed'));
    set.applySuppressions();
    expect(shown()).toEqual([[1, 'confirmed', undefined]]);
    by = BY_ANNA;
    set.applySuppressions();
    set.applySuppressions();
    expect(shown()).toEqual([[2, 'suppressed', 'confirmed']]);
    set.applySuppressions();
    expect(shown()).toEqual([]);
    by = undefined;
    set.applySuppressions();
    expect(shown()).toEqual([[3, 'confirmed', undefined]]);
  });

  it('stays so while nobody knows what is decided, and nothing new is', () => {
    set.set(finding(1));
    const [known] = set.takeChanged();
    const anew = new FindingSet(() => 'unknown');
    anew.recall(known!);
    anew.recall({ ...finding(1), id: 'other' });
    anew.applySuppressions();
    expect(anew.takeChanged()).toEqual([]);
    anew.set({ ...anew.get(known!.id)!, state: 'confirmed' });
    expect(anew.open().map((it) => it.suppressed?.state)).toEqual(['confirmed', undefined]);
  });

  it('is resolved when it is over', () => {
    set.set(finding(1));
    set.set(finding(2, 'resolved'));
    expect(shown()).toEqual([[1, 'resolved', undefined]]);
  });
});

describe('what is resolved', () => {
  const EARLY = '2026-01-01T00:00:00Z';
  const LATE = '2026-01-02T00:00:00Z';
  const LATER = '2026-01-03T00:00:00Z';
  const resolved = (id: string, resolvedAt: string): Finding => ({
    ...finding(3, 'resolved'),
    id,
    resolvedAt,
  });
  let set: FindingSet;
  beforeEach(() => {
    set = new FindingSet();
    set.recall(resolved('a', EARLY));
    set.set(resolved('b', LATE));
    set.recall({ ...finding(2), id: 'c' });
  });
  const ids = (findings: readonly Finding[]): readonly string[] => findings.map((it) => it.id);

  it('is not open', () => {
    expect(ids(set.open())).toEqual(['c']);
    expect(ids(set.resolved())).toEqual(['a', 'b']);
  });

  it('is forgotten when it was resolved before a time, and not at it', () => {
    expect(set.forgetResolved(EARLY)).toEqual([]);
    expect(set.forgetResolved(LATE)).toEqual(['a']);
    expect([set.get('a'), set.get('b')?.id]).toEqual([undefined, 'b']);
    expect(set.forgetResolved(LATER)).toEqual(['b']);
    expect(set.forgetResolved(LATER)).toEqual([]);
    expect(ids(set.open())).toEqual(['c']);
  });

  it('is not forgotten once it is found again', () => {
    set.set({ ...finding(4), id: 'a' });
    expect(set.forgetResolved(LATER)).toEqual(['b']);
    expect(ids(set.open())).toEqual(['a', 'c']);
  });
});
