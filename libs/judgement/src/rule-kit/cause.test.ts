import { createEngine } from '../create-engine';
import { ip, logicalSwitch, object, port, row } from '../testing/builders';
import { History } from '../testing/history';
import { causeOf } from './cause';
import { absent, unclaimed } from './facts';
import { NO_GRACE } from '../testing/grace';

const lives = { isNamespaceGone: () => false };
const gone = { isNamespaceGone: (name: string) => name === 'shop' };

test('is the owner, which a proof names first', () => {
  expect(
    causeOf([absent('Node', 'edge-1'), absent('NetworkPolicy', 'apps/edge-1')], lives),
  ).toEqual({ kind: 'Node', key: 'edge-1', text: 'Node edge-1 no longer exists' });
});

test('is the namespace that went with the owner, and no other', () => {
  expect(causeOf([absent('Pod', 'shop/web-0')], gone)).toMatchObject({
    kind: 'Namespace',
    key: 'shop',
  });
  expect(causeOf([absent('Pod', 'shop/web-0')], lives)).toMatchObject({
    kind: 'Pod',
    key: 'shop/web-0',
  });
  expect(causeOf([absent('Subnet', 'shop')], gone)).toMatchObject({ kind: 'Subnet', key: 'shop' });
});

test('is not reported where a proof names no owner', () => {
  expect(causeOf([unclaimed('Service', 'vip', '10.0.0.1')], lives)).toBeUndefined();
});

describe('in an engine', () => {
  const left = [
    logicalSwitch(),
    port('web-0.shop'),
    ip('web-0.shop'),
    row('Port_Group', 'allow.shop', {
      external_ids: { vendor: 'kube-ovn', np: 'shop/allow' },
    }),
  ];
  const causesWith = (...things: Parameters<History['put']>[0][]) => {
    const engine = createEngine({ cluster: 'test', grace: NO_GRACE });
    const history = new History();
    const all = [...left, ...things].map((it) => history.put(it));
    engine.apply([...all, ...history.listEverything()], { checked: false });
    return engine
      .findings()
      .filter(({ cause }) => cause !== undefined)
      .map(({ rule, cause }) => `${rule}: ${cause?.kind} ${cause?.key}`)
      .sort();
  };

  test('findings of a namespace that is gone have one cause', () => {
    expect(causesWith()).toEqual([
      'leaked-ip: Namespace shop',
      'orphaned-port-group: Namespace shop',
    ]);
  });

  test('where it is there, each has its own', () => {
    expect(causesWith(object('Namespace', 'shop'))).toEqual([
      'leaked-ip: Pod shop/web-0',
      'orphaned-port-group: NetworkPolicy shop/allow',
    ]);
  });
});
