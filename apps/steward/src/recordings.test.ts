import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { join } from 'node:path';
import { observe, observeAt, RECORDINGS, truthOf } from './testing/truth';
import type { TruthEntry } from './testing/truth';

const idOf = (entry: TruthEntry): string => entry.uuid ?? entry.uid ?? '';

const names = (finding: Finding): string[] => [
  finding.subject.uid,
  ...finding.concerns.map((it) => it.uid),
];

const covers = (finding: Finding, entry: TruthEntry): boolean =>
  names(finding).includes(idOf(entry)) &&
  (entry.vip === undefined || finding.subject.part?.key === entry.vip);

describe.each(['clean', 'leaky', 'shared-neutron'])('the recording %s', (recording) => {
  let findings: readonly Finding[] = [];
  let unknowns: readonly unknown[] = [];
  const truth = truthOf(recording);

  beforeAll(async () => {
    const engine = await observeAt(recording);
    findings = engine.findings();
    unknowns = engine.unknowns();
  }, 30_000);

  test('every planted fault is found', () => {
    const planted = truth.filter((it) => it.expect === 'finding');
    expect(
      planted
        .filter((it) => !findings.some((finding) => covers(finding, it)))
        .map((it) => `${it.symptom} ${it.table ?? it.kind} ${it.name} ${idOf(it)}`),
    ).toEqual([]);
  });

  test('nothing to be kept is called garbage or leak', () => {
    const known = truth.filter((it) => it.expect !== 'keep');
    const wrong = findings.filter(
      (it) =>
        ['garbage', 'leak'].includes(it.class) &&
        !known.some((entry) => covers(it, entry) || idOf(entry) === it.subject.uid),
    );
    expect(wrong.map((it) => it.summary)).toEqual([]);
  });

  test('it is of the time at which it was recorded, and so is all that is found in it', async () => {
    const engine = await observeAt(recording);
    expect(engine.now.slice(0, 10)).toBe('2026-11-21');
    const since = findings.map(({ firstSeen, lastSeen }) => [firstSeen, lastSeen]).flat();
    expect(since.filter((it) => it > engine.now)).toEqual([]);
  });

  test('nothing is left unjudged', () => expect(unknowns).toEqual([]));

  test('a healthy cluster has no findings at all', () => {
    if (recording === 'clean') expect(findings.map((it) => it.summary)).toEqual([]);
    else expect(findings.length).toBeGreaterThan(0);
  });

  test('with the Southbound beside it only the chassis of a node that is gone is found besides', async () => {
    const at = join(RECORDINGS, recording);
    const engine = await observe(join(at, 'nb.db'), at, join(at, 'sb.db'));
    expect(engine.unknowns()).toEqual([]);
    const known = new Set(findings.map(({ id, summary }) => `${id} ${summary}`));
    const more = engine.findings().filter(({ id, summary }) => !known.has(`${id} ${summary}`));
    const stale = truth.filter(({ table, expect: is }) => table === 'Chassis' && is !== 'keep');
    expect(more.map(({ rule, subject }) => `${rule} ${subject.name}`)).toEqual(
      stale.map(({ symptom, name }) => `${symptom} ${name}`),
    );
    expect(engine.findings().length - more.length).toBe(findings.length);
  });
});
