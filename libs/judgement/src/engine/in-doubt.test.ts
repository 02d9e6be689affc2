import type { Finding } from '@ovn-steward/contracts/findings/finding';
import leakedIp from '../rules/leaked-ip';
import { ip } from '../testing/builders';
import { History } from '../testing/history';
import { smallEngine, vip } from '../testing/small-engine';
import type { Engine } from './engine';

const leaked = ip('web-0.shop');
const { metadata, ...others } = ip('web-1.shop').object as { metadata: object };
/**
 * Another record of the address, which is being deleted: nothing shows whether its owner is there.
 */
const rival = {
  ...ip('web-1.shop'),
  object: { ...others, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
} as typeof leaked;

let history: History;
let engine: Engine;
beforeEach(() => {
  history = new History();
  engine = smallEngine(leakedIp as never);
  engine.apply([...history.listEverything(), history.put(leaked)]);
});

const heard = (minutes: number): void => void engine.apply(history.heartbeats(minutes));
const found = (): Finding => engine.findings().find(({ subject }) => subject.uid === leaked.uid)!;
const doubt = expect.stringContaining('IP web-1.shop holds 10.17.0.10 as well');

test.each([
  ['confirmed', 20],
  ['suspected', 0],
])('what is %s and becomes doubtful has no remedy, and keeps its age', (state, minutes) => {
  heard(minutes);
  const { firstSeen } = found();
  expect(found()).toMatchObject({ state, remedy: { action: 'delete-ip' } });
  const { findings } = engine.apply([history.put(rival)]);
  expect(findings).toEqual([found()]);
  expect(found()).toMatchObject({ state, remedy: null, doubt, firstSeen });
  heard(60);
  expect(found()).toMatchObject({ state, remedy: null });
});

test('it starts its grace again when nothing is in doubt any more', () => {
  heard(20);
  engine.apply([history.put(rival)]);
  heard(30);
  engine.apply(history.remove(rival));
  expect(found()).toMatchObject({ state: 'suspected', remedy: { action: 'delete-ip' } });
  expect(found()).not.toHaveProperty('doubt');
  heard(44);
  expect(found().state).toBe('suspected');
  heard(45);
  expect(found().state).toBe('confirmed');
});

test('a repeated doubt is no news, and a resolved finding has none', () => {
  heard(20);
  engine.apply([history.put(rival)]);
  const { revision } = found();
  engine.apply([history.put({ ...rival, name: 'web-1.shop' })]);
  expect(found().revision).toBe(revision);
  engine.apply(history.remove(leaked));
  expect(engine.resolved()).toMatchObject([{ state: 'resolved', remedy: null }]);
  expect(engine.resolved()[0]).not.toHaveProperty('doubt');
});

test('what never had a remedy loses its doubt as well, and stays confirmed', () => {
  let why: string | undefined;
  engine = smallEngine({ doubt: () => why });
  history = new History();
  engine.apply([...history.listEverything(), history.put(vip('a', ['x']))]);
  heard(20);
  for (const said of ['who knows', undefined]) {
    why = said;
    // Judges it again, as it was.
    engine.apply([history.lose('Vip')]);
    engine.apply([history.complete('Vip')]);
    expect(engine.findings().map((it) => [it.state, it.doubt])).toEqual([['confirmed', said]]);
  }
});

test('another process takes it up as it is', () => {
  heard(20);
  engine.apply([history.put(rival)]);
  const other = smallEngine(leakedIp as never);
  other.foldUnjudged(history.fromNothing(), { checked: false });
  other.restore(engine.findings(), engine.now);
  expect(other.finding(found().id)).toEqual(found());
});
