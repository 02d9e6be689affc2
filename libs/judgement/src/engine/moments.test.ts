import type { Finding } from '@ovn-steward/contracts/findings/finding';
import leakedIp from '../rules/leaked-ip';
import { ip, object, pod } from '../testing/builders';
import { History } from '../testing/history';
import { smallEngine } from '../testing/small-engine';
import type { Engine } from './engine';

const CONTROLLER = 'kube-system/kube-ovn-controller';
const controller = pod(`${CONTROLLER}-1`);
const lease = (holderIdentity: string) => object('Lease', CONTROLLER, { spec: { holderIdentity } });
const lan = object('NetworkAttachmentDefinition', 'shop/lan');
const web = pod('shop/web-0', {
  metadata: { annotations: { 'k8s.v1.cni.cncf.io/networks': 'shop/lan' } },
});
const record = ip('web-0.shop');

let history: History;
let engine: Engine;
beforeEach(() => {
  history = new History();
  engine = smallEngine(leakedIp as never);
  const all = [
    object('Namespace', 'shop'),
    controller,
    lease('kube-ovn-controller-1_a'),
    lan,
    web,
    record,
  ];
  engine.apply([...history.listEverything(), ...all.map((it) => history.put(it))]);
});

const at = (minutes: number): void => void engine.apply(history.heartbeats(minutes));
const found = (): Finding => engine.findings()[0]!;
const said = (): readonly string[] =>
  (found().cause?.moments ?? []).map((it) => `${it.at.slice(14, 16)} ${it.what}`);

test('an owner that went while a controller led', () => {
  at(1);
  const [change] = history.remove(web);
  engine.apply([change!]);
  expect(said()).toEqual(['01 Pod shop/web-0 was deleted']);
  expect(found().cause).toMatchObject({
    text: 'Pod shop/web-0 no longer exists',
    moments: [{ change: `kubernetes/Pod/${change!.epoch}/${change!.seq}` }],
  });
});

test('an owner that went while none led: its pod was deleted before', () => {
  at(1);
  engine.apply(history.remove(controller));
  at(2);
  engine.apply(history.remove(web));
  expect(said()).toEqual([
    `01 Pod ${CONTROLLER}-1, the controller that led, was deleted`,
    '02 Pod shop/web-0 was deleted',
  ]);
});

test('an owner that went while none led: the Lease was given up', () => {
  at(1);
  engine.apply([history.put(lease(''))]);
  at(2);
  engine.apply(history.remove(web));
  expect(said()[0]).toBe(
    `01 Lease ${CONTROLLER} was given up by kube-ovn-controller-1_a, and nobody led`,
  );
});

test('a controller that leads again by then is no part of it', () => {
  engine.apply(history.remove(controller));
  engine.apply([history.put(lease('kube-ovn-controller-2_b'))]);
  at(1);
  engine.apply(history.remove(web));
  expect(said()).toEqual(['01 Pod shop/web-0 was deleted']);
});

test('an attachment that went before the pod', () => {
  at(1);
  engine.apply(history.remove(lan));
  at(2);
  engine.apply(history.remove(web));
  expect(said()).toEqual([
    '01 NetworkAttachmentDefinition shop/lan was deleted',
    '02 Pod shop/web-0 was deleted',
  ]);
});

test('what a full read finds missing has no time', () => {
  const read = [history.begin('Pod'), ...history.remove(web), history.complete('Pod')];
  engine.apply(read, { checked: false });
  expect(found().cause).toEqual({
    kind: 'Pod',
    key: 'shop/web-0',
    text: 'Pod shop/web-0 no longer exists',
  });
});

test('it stays when the finding says something else later, or is taken up by another process', () => {
  at(1);
  engine.apply(history.remove(web));
  const before = said();
  engine.apply([history.put(ip('web-0.shop', { ipAddress: '10.17.0.11' }))]);
  expect(said()).toEqual(before);
  const other = smallEngine(leakedIp as never);
  other.foldUnjudged(history.fromNothing(), { checked: false });
  other.restore(engine.findings(), engine.now);
  expect(other.findings()[0]?.cause).toEqual(found().cause);
});
