import { RELATIONS } from '../relations/registry';
import { healthy, type Rule, unknown, violation, type Violation } from '../rule-kit/rule';
import { TALLIES } from '../tallies/registry';
import { History } from '../testing/history';
import { vip } from '../testing/small-engine';
import type { Entity } from '../world/entity';
import { World } from '../world/world';
import { FoldedChanges } from './folded-changes';
import { createJudge, type Judge } from './judge';
import { ALL_KINDS } from './suspicions';
import { Verdicts } from './verdicts';

const MINUTE = 60_000;
const UNIT = 7;
const rule = { id: 'r', class: 'leak', severity: 'warning', subject: 'Vip', reads: [] };
const wrong = (key: string): Violation => ({
  summary: `${key} is wrong`,
  proof: [],
  part: { column: 'wrong', key },
});

/** One Vip of which a rule may find things. */
function oneVip(options: { readonly isProtected?: (entity: Entity) => boolean } = {}) {
  const history = new History();
  const world = new World(RELATIONS, TALLIES);
  const changes = new FoldedChanges(world);
  const hear = (minutes: number): void =>
    void changes.fold(history.heartbeats(minutes), { checked: true });
  changes.fold([...history.listEverything(), history.put(vip('a'))], { checked: true });
  hear(0);
  const grace = { leak: 10 * MINUTE } as never;
  const verdicts = new Verdicts({ cluster: 'c', rules: [], world, grace, ...options }, changes);
  const judge: Judge = createJudge(
    rule as unknown as Rule,
    world,
    (finding) => verdicts.graceOf(finding),
    [],
    () => undefined,
  );
  judge.withheld = '';
  const subject = [...world.entities('Vip')][0]!;
  const take = (verdict: Parameters<Verdicts['take']>[3]['verdict']): void =>
    verdicts.take(judge, UNIT, subject, { verdict, kinds: ALL_KINDS });
  const states = (): readonly string[] =>
    [...verdicts.findings.open(), ...verdicts.findings.resolved()].map(
      (it) => `${it.subject.part?.key} ${it.state}`,
    );
  return { verdicts, judge, take, hear, states };
}

test('each thing that a check finds is a finding of its own, resolved when it is found no more', () => {
  const { take, states } = oneVip();
  take(violation(wrong('x'), wrong('y')));
  expect(states()).toEqual(['x suspected', 'y suspected']);
  take(violation(wrong('y')));
  expect(states()).toEqual(['y suspected', 'x resolved']);
  take(healthy);
  expect(states()).toEqual(['x resolved', 'y resolved']);
});

test('what cannot be judged is kept as it is, with the reason, and begins its grace again', () => {
  const { verdicts, judge, take, hear, states } = oneVip();
  take(violation(wrong('x')));
  take(unknown('nobody knows'));
  hear(11);
  verdicts.ripen(judge);
  expect(states()).toEqual(['x suspected']);
  const units = { get: () => ({ rule: 0, kind: 'Vip', uid: judgedUid(verdicts) }) } as never;
  expect(verdicts.unknowns([judge], units).map((it) => it.reason)).toEqual(['nobody knows']);
  take(violation(wrong('x')));
  verdicts.ripen(judge);
  expect(states()).toEqual(['x suspected']);
  expect(verdicts.unknowns([judge], units)).toEqual([]);
  hear(22);
  verdicts.ripen(judge);
  expect(states()).toEqual(['x confirmed']);
});

test('a rule that is withheld confirms nothing', () => {
  const { verdicts, judge, take, hear, states } = oneVip();
  take(violation(wrong('x')));
  hear(11);
  judge.withheld = 'not listed';
  verdicts.ripen(judge);
  expect(states()).toEqual(['x suspected']);
});

test('nothing is found of what is protected; what was found of a subject that went is resolved', () => {
  const spared = oneVip({ isProtected: ({ kind }) => kind === 'Vip' });
  spared.take(violation(wrong('x')));
  expect(spared.states()).toEqual([]);
  const { verdicts, judge, take, states } = oneVip();
  take(violation(wrong('x')));
  verdicts.drop(judge, UNIT);
  expect(states()).toEqual(['x resolved']);
});

test('an open finding of an earlier run goes on with its age, unless nothing was observed meanwhile', () => {
  const first = oneVip();
  first.take(violation(wrong('x')));
  const [finding] = first.verdicts.findings.open();
  for (const [unwatched, state] of [
    [false, 'x confirmed'],
    [true, 'x suspected'],
  ] as const) {
    const { verdicts, judge, take, hear, states } = oneVip();
    verdicts.findings.recall(finding!);
    verdicts.resume(judge, UNIT, finding!.id, { unwatched });
    hear(11);
    take(violation(wrong('x')));
    verdicts.ripen(judge);
    expect(states()).toEqual([state]);
  }
});

const judgedUid = (verdicts: Verdicts): string => verdicts.findings.open()[0]!.subject.uid;
