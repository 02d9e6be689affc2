import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { History } from '../testing/history';
import { smallEngine, vip } from '../testing/small-engine';
import type { Engine } from './engine';
import { toTheEnd } from './to-the-end';

const MINUTE = 60_000;
const UNCHECKED = { checked: false };
const LATER = '2026-02-01T00:00:00.000Z';

let history: History;
let first: Engine;
const start = (reads: readonly 'Pod'[] = []): void => {
  history = new History();
  first = smallEngine({ reads });
  first.apply([...history.listEverything(), ...history.heartbeats(0)], UNCHECKED);
};
beforeEach(() => start());

const put = (...given: Parameters<typeof vip>): void =>
  void first.apply([history.put(vip(...given))], UNCHECKED);
const until = (minutes: number, engine = first): void =>
  void engine.apply(history.heartbeats(minutes), UNCHECKED);
/** Another engine in the world of the first, that knows no finding yet. */
function duplicate(reads: readonly 'Pod'[] = []): Engine {
  const engine = smallEngine({ reads });
  engine.world.restoreStreams(structuredClone(first.streams()));
  engine.world.restoreEntities(['Vip', 'Pod'].flatMap((kind) => [...first.world.entities(kind)]));
  return engine;
}
const said = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ subject, state }) => `${subject.name} ${state}`).sort();

test('its clock is the one it is given, and never goes back', () => {
  const engine = duplicate();
  engine.restore([], LATER);
  expect(engine.now).toBe(LATER);
  until(5, engine);
  expect(engine.now).toBe(LATER);
});

test('the grace of each ends in its turn, in whatever order they are given', () => {
  put('a', ['x']);
  until(10);
  put('b', ['x']);
  const engine = duplicate();
  engine.restore([...first.findings()].reverse(), first.now);
  until(16, engine);
  expect(said(engine.findings())).toEqual(['a confirmed', 'b suspected']);
});

test('what ripened meanwhile is confirmed at once', () => {
  put('a', ['x']);
  const before = first.findings();
  until(16);
  expect(said(duplicate().restore(before, first.now))).toEqual(['a confirmed']);
});

test('what nobody watched begins its grace again', () => {
  put('a', ['x']);
  until(10);
  const engine = duplicate();
  toTheEnd(engine.restoring(first.findings(), first.now, { unwatched: true }));
  until(24, engine);
  expect(said(engine.findings())).toEqual(['a suspected']);
  until(25, engine);
  expect(said(engine.findings())).toEqual(['a confirmed']);
});

test('so does what cannot be judged then, once it can', () => {
  start(['Pod']);
  put('a', ['x']);
  const before = first.findings();
  first.apply([history.lose('Pod')], UNCHECKED);
  const engine = duplicate(['Pod']);
  engine.restore(before, first.now);
  until(10, engine);
  engine.apply([history.complete('Pod')], UNCHECKED);
  until(24, engine);
  expect(said(engine.findings())).toEqual(['a suspected']);
  until(25, engine);
  expect(said(engine.findings())).toEqual(['a confirmed']);
});

test('what went meanwhile is resolved, all that was found of it', () => {
  put('a', ['x', 'y']);
  const before = first.findings();
  first.apply(history.remove(vip('a')), UNCHECKED);
  expect(said(duplicate().restore(before, first.now))).toEqual(['a resolved', 'a resolved']);
});

test('all that was found of one thing is resolved when it goes later', () => {
  put('a', ['x', 'y']);
  const engine = duplicate();
  engine.restore(first.findings(), first.now);
  const { findings } = engine.apply(history.remove(vip('a')), UNCHECKED);
  expect(said(findings)).toEqual(['a resolved', 'a resolved']);
});

test('what is resolved is forgotten in the order in which it was, not in that of its beginning', () => {
  put('a', ['x']);
  put('b', ['x']);
  until(10);
  first.apply(history.remove(vip('b')), UNCHECKED);
  until(20);
  first.apply(history.remove(vip('a')), UNCHECKED);
  until(30);
  const [a, b] = ['a', 'b'].map((name) =>
    first.resolved().find((it) => it.subject.name === name),
  ) as [Finding, Finding];
  const engine = duplicate();
  engine.restore([a, b], first.now);
  expect(engine.forgetResolved(15 * MINUTE)).toEqual([b.id]);
  expect(engine.resolved()).toEqual([a]);
});
