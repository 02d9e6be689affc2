import { entityOf, object, pod } from '../testing/builders';
import { networksUnder, selectsPod } from './policy-selection';

const policy = (
  spec: Record<string, unknown> = { podSelector: {} },
  annotations: Record<string, string> = {},
) => entityOf(object('NetworkPolicy', 'shop/allow-web', { spec, metadata: { annotations } }));
const NETWORKS = ['ovn', 'blue.nets.ovn', 'blue.nets.ovn.net2'];
const web = (over: Record<string, unknown> = {}) =>
  entityOf(
    pod('shop/web-0', {
      metadata: {
        labels: { app: 'web' },
        annotations: Object.fromEntries(
          NETWORKS.flatMap((network) => [
            [`${network}.kubernetes.io/allocated`, 'true'],
            [`${network}.kubernetes.io/logical_switch`, 'apps'],
          ]),
        ),
      },
      ...over,
    }),
  );
const under = (of: ReturnType<typeof policy>, it = web()): string[] =>
  networksUnder(of, it).map(({ provider }) => provider);

describe('selectsPod', () => {
  it.each([
    [{ podSelector: { matchLabels: { app: 'web' } } }, true],
    [{ podSelector: { matchLabels: { app: 'db' } } }, false],
    [{ podSelector: {} }, true],
    [{}, true],
    [{ podSelector: { matchExpressions: [{ key: 'app', operator: 'Like' }] } }, undefined],
  ])('%j: %s', (spec, expected) => expect(selectsPod(policy(spec), web())).toBe(expected));

  it('selects no pod of another namespace', () =>
    expect(selectsPod(policy(), entityOf(pod('shops/web-0')))).toBe(false));
});

describe('networksUnder', () => {
  it('is every network of a pod that is selected', () => expect(under(policy())).toEqual(NETWORKS));

  it.each([
    ['ovn', ['ovn']],
    [' OVN ', ['ovn']],
    ['nets/blue', ['blue.nets.ovn']],
    ['nets/blue, ovn', ['ovn', 'blue.nets.ovn']],
    ['blue', []],
    ['/blue,nets/', []],
    ['', NETWORKS],
  ])('is for %j where its author says so', (said, expected) =>
    expect(
      under(policy({ podSelector: {} }, { 'ovn.kubernetes.io/network_policy_for': said })),
    ).toEqual(expected),
  );

  it('is none of a pod that is not selected for certain', () => {
    expect(under(policy({ podSelector: { matchLabels: { app: 'db' } } }))).toEqual([]);
    expect(under(policy({}))).toEqual([]);
    expect(
      under(policy({ podSelector: { matchExpressions: [{ key: 'app', operator: 'Like' }] } })),
    ).toEqual([]);
  });

  it('is none of a pod that has ended or uses the network of its node', () => {
    expect(under(policy(), web({ status: { phase: 'Succeeded' } }))).toEqual([]);
    expect(under(policy(), web({ spec: { hostNetwork: true } }))).toEqual([]);
  });
});
