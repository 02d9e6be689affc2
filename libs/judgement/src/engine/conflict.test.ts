import type { Finding } from '@ovn-steward/contracts/findings/finding';
import leakedIp from '../rules/leaked-ip';
import { ip, pod } from '../testing/builders';
import { History } from '../testing/history';
import { smallEngine } from '../testing/small-engine';
import type { Engine } from './engine';

const leaked = ip('web-0.shop');
const rival = ip('web-1.shop');
const user = pod('shop/web-1');

let history: History;
let engine: Engine;
beforeEach(() => {
  history = new History();
  engine = smallEngine(leakedIp as never);
  engine.apply([...history.listEverything(), history.put(leaked)]);
});

const heard = (minutes: number): void => void engine.apply(history.heartbeats(minutes));
const found = (): Finding => engine.findings().find(({ subject }) => subject.uid === leaked.uid)!;

describe('a leak whose address is in use as well', () => {
  test('loses its remedy, and keeps its age, when the address is given to somebody', () => {
    heard(20);
    const { firstSeen } = found();
    expect(found()).toMatchObject({ state: 'confirmed', remedy: { action: 'delete-ip' } });
    engine.apply([history.put(user), history.put(rival)]);
    expect(found()).toMatchObject({ state: 'confirmed', remedy: null, firstSeen });
    expect(found().summary).toContain('Pod shop/web-1 (IP web-1.shop) uses 10.17.0.10 as well');
  });

  test.each([
    ['confirmed', 20],
    ['suspected', 0],
  ])('is %s, and starts its grace again when the address is free of its user', (state, minutes) => {
    engine.apply([history.put(user), history.put(rival)]);
    heard(minutes);
    expect(found()).toMatchObject({ state, remedy: null });
    engine.apply(history.remove(rival));
    expect(found()).toMatchObject({ state: 'suspected', remedy: { action: 'delete-ip' } });
    heard(minutes + 10);
    expect(found().state).toBe('suspected');
    heard(minutes + 20);
    expect(found().state).toBe('confirmed');
  });
});
