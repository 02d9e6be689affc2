import { healthy, type Rule, violation } from '../rule-kit/rule';
import { object } from '../testing/builders';
import { History } from '../testing/history';
import { judgedVip, smallEngine, vip } from '../testing/small-engine';
import type { Entity } from '../world/entity';
import type { Engine } from './engine';
import { unchanged } from '../rule-kit/facts';

const UNCHECKED = { checked: false };

let history: History;
beforeEach(() => (history = new History()));
/** All listed, but for these kinds; with a Vip that is wrong. */
function begin(engine: Engine, ...without: readonly string[]): void {
  const streams = new Set(without.map((kind) => `kubernetes/${kind}`));
  engine.apply(
    [
      ...history.listEverything().filter((it) => !streams.has(it.stream)),
      history.put(vip('a', ['x'])),
      ...history.heartbeats(0),
    ],
    UNCHECKED,
  );
}
const states = (engine: Engine): readonly string[] => engine.findings().map((it) => it.state);

test('what asked whether a kind is known is asked again when that becomes known, and unknown', () => {
  const engine = smallEngine({
    consults: ['Pod'] as never,
    check: (subject, view) =>
      (view as unknown as { knows(kind: string): boolean }).knows('Pod')
        ? judgedVip(subject)
        : healthy,
  });
  begin(engine, 'Pod');
  expect(states(engine)).toEqual([]);
  engine.apply([history.complete('Pod')], UNCHECKED);
  expect(states(engine)).toEqual(['suspected']);
  engine.apply([history.lose('Pod')], UNCHECKED);
  expect(states(engine)).toEqual([]);
  engine.apply([history.complete('Pod')], UNCHECKED);
  expect(states(engine)).toEqual(['suspected']);
});

describe('while a kind it needs is not known, nothing is judged', () => {
  let checks: number;
  beforeEach(() => (checks = 0));
  const counting = (): Engine =>
    smallEngine({
      reads: ['Pod', 'Subnet'] as never,
      check: (subject, view) => {
        checks += 1;
        (view as unknown as { get(kind: string, key: string): void }).get('Subnet', 'apps');
        return judgedVip(subject);
      },
    });

  test('though something it read moves', () => {
    const engine = counting();
    begin(engine);
    expect(checks).toBe(1);
    engine.apply([history.put(object('Subnet', 'apps'))], UNCHECKED);
    expect(checks).toBe(2);
    engine.apply([history.lose('Pod')], UNCHECKED);
    engine.apply([history.put(object('Subnet', 'apps', { spec: { vpc: 'v' } }))], UNCHECKED);
    engine.apply([history.put(vip('a', ['y']))], UNCHECKED);
    expect(checks).toBe(2);
  });

  test('though another becomes known', () => {
    const engine = counting();
    begin(engine, 'Pod', 'Subnet');
    engine.apply([history.complete('Pod')], UNCHECKED);
    expect([checks, engine.unknowns()]).toEqual([
      0,
      [{ rule: 'wrong-vip', subject: null, reason: expect.stringContaining('Subnet') }],
    ]);
    engine.apply([history.complete('Subnet')], UNCHECKED);
    expect(checks).toBe(1);
  });
});

describe('what cannot be judged', () => {
  test('is reported, until it can', () => {
    const engine = smallEngine();
    begin(engine);
    engine.apply([history.put(vip('a'))], UNCHECKED);
    expect(engine.unknowns()).toEqual([
      { rule: 'wrong-vip', subject: expect.objectContaining({ name: 'a' }), reason: 'who knows' },
    ]);
    engine.apply([history.put(vip('a', []))], UNCHECKED);
    expect(engine.unknowns()).toEqual([]);
  });

  test('is neither confirmed nor resolved, and begins its grace again once it can be', () => {
    const engine = smallEngine();
    begin(engine);
    engine.apply([history.put(vip('a')), ...history.heartbeats(20)], UNCHECKED);
    expect(states(engine)).toEqual(['suspected']);
    engine.apply([history.put(vip('a', ['x']))], UNCHECKED);
    engine.apply(history.heartbeats(34), UNCHECKED);
    expect(states(engine)).toEqual(['suspected']);
    engine.apply(history.heartbeats(35), UNCHECKED);
    expect(states(engine)).toEqual(['confirmed']);
  });
});

describe('what a person protects', () => {
  /** What is found of Vip `a`, which concerns Vip `b`, where one of them is protected. */
  const found = (ofClass: Rule['class'], isProtected: (entity: Entity) => boolean): number => {
    const concern = { ...vip('b'), source: 'kubernetes', stream: '', hash: '' } as never;
    const check: Rule<'Vip'>['check'] = (subject) =>
      violation({ summary: 'wrong', proof: [unchanged(subject)], concerns: [concern] });
    const engine = smallEngine({ class: ofClass, check }, { isProtected });
    begin(engine);
    return engine.findings().length;
  };

  test.each(['garbage', 'leak'] as const)('is no %s, nor what goes with it', (ofClass) => {
    expect(found(ofClass, () => false)).toBe(1);
    expect(found(ofClass, ({ name }) => name === 'a')).toBe(0);
    expect(found(ofClass, ({ name }) => name === 'b')).toBe(0);
  });

  test.each(['drift', 'stuck', 'misplaced', 'missing', 'damage'] as const)(
    'is reported all the same where it is %s',
    (ofClass) => expect(found(ofClass, () => true)).toBe(1),
  );
});

test('its time is that up to which sources reported all, once one said so', () => {
  const engine = smallEngine();
  const change = history.put(vip('a'));
  const beats = history.heartbeats(10);
  engine.apply([change], UNCHECKED);
  expect(engine.now).toBe('2026-01-01T00:00:00.000Z');
  engine.apply(beats, UNCHECKED);
  expect(engine.now).toBe('2026-01-01T00:10:00.000Z');
  const ahead = { ...history.put(vip('b')), observedAt: '2026-01-01T09:00:00.000Z' };
  engine.apply([ahead], UNCHECKED);
  expect(engine.now).toBe('2026-01-01T00:10:00.000Z');
});
