import { describeWith, helm } from '@ovn-steward/testbed/fixture';
import { only, podsOf, rendered } from './rendered';
import { KAFKA, NOTIFY, STRIMZI, VALUE_SETS } from './value-sets';

interface Policy {
  readonly podSelector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly { readonly ports: readonly { readonly port: number }[] }[];
  readonly egress: readonly {
    readonly ports: readonly { readonly port: number }[];
    readonly to?: readonly object[];
  }[];
}

const NOTIFYING = { ...KAFKA, ...NOTIFY, settings: { ...KAFKA.settings, ...NOTIFY.settings } };

const LOGIN = {
  ...KAFKA,
  settings: { ...KAFKA.settings, http: { auth: { by: 'kubernetes' } } },
  http: { tlsSecret: 'https' },
};

describeWith(helm, 'the network policies', () => {
  const policyOf = (values: object, name: string): Policy =>
    only(rendered(values), 'NetworkPolicy', name).spec as unknown as Policy;
  const out = (values: object, name: string): readonly number[] =>
    policyOf(values, name)
      .egress.flatMap(({ ports }) => ports.map(({ port }) => port))
      .filter((it, i, all) => all.indexOf(it) === i);

  test.each(Object.entries(VALUE_SETS))('%s: there is one for each pod, both ways', (_, values) => {
    const objects = rendered(values);
    const names = objects.filter((it) => it.kind === 'NetworkPolicy').map((it) => it.metadata.name);
    expect([...names].sort()).toEqual([...podsOf(objects).keys()].sort());
    for (const name of names) {
      const { podSelector, policyTypes } = policyOf(values, name);
      expect(policyTypes).toEqual(['Ingress', 'Egress']);
      expect(podSelector.matchLabels['app.kubernetes.io/component']).toBe(
        name === 'ovn-steward' ? 'embedded' : name.replace('ovn-steward-', ''),
      );
    }
  });

  test.each<[string, object, string, number[]]>([
    ['one that reads both systems', {}, 'ovn-steward', [53, 443, 6443, 6641]],
    ['a collector', KAFKA, 'ovn-steward-collector', [53, 443, 6443, 6641, 9092]],
    ['an analyzer', KAFKA, 'ovn-steward-analyzer', [53, 9092]],
    ['an executor that only shows', KAFKA, 'ovn-steward-executor', [53, 9092]],
    ['the check', {}, 'ovn-steward-test', [53, 9470]],
    ['an analyzer that asks who somebody is', LOGIN, 'ovn-steward-analyzer', [53, 443, 6443, 9092]],
    ['the check beside a login', LOGIN, 'ovn-steward-test', [53, 9480]],
    ['the brokers of Strimzi by TLS', STRIMZI, 'ovn-steward-analyzer', [53, 9093]],
    [
      'several addresses',
      {
        settings: {
          ovnNb: { remote: 'tcp:a:6641,tcp:[fd00::1]:16641,tcp:c:6641' },
        },
      },
      'ovn-steward',
      [53, 443, 6443, 6641, 16641],
    ],
    [
      'one that reads the Southbound as well',
      { kubeOvn: { southbound: { read: true } } },
      'ovn-steward',
      [53, 443, 6443, 6641, 6642],
    ],
    [
      'a collector that reads a Southbound elsewhere',
      { ...KAFKA, settings: { ...KAFKA.settings, ovnSb: { remote: 'tcp:a:16642' } } },
      'ovn-steward-collector',
      [53, 443, 6443, 6641, 9092, 16642],
    ],
    [
      'an analyzer beside it',
      { ...KAFKA, kubeOvn: { southbound: { read: true } } },
      'ovn-steward-analyzer',
      [53, 9092],
    ],
    ['a notifier', NOTIFYING, 'ovn-steward-notifier', [53, 443, 9092, 9093]],
    ['a collector beside it', NOTIFYING, 'ovn-steward-collector', [53, 443, 6443, 6641, 9092]],
    ['one that notifies itself', NOTIFY, 'ovn-steward', [53, 443, 6443, 6641, 9093]],
    ['the guard', { guard: { vpcs: true } }, 'ovn-steward-guard', [53, 443, 6443, 6641]],
  ])('%s reaches what it uses and nothing else', (_, values, name, ports) => {
    expect([...out(values, name)].sort((a, b) => a - b)).toEqual([...ports].sort((a, b) => a - b));
  });

  test('only the port of HTTP may be asked, and of the guard and the check none', () => {
    expect(policyOf({}, 'ovn-steward').ingress).toEqual([
      { from: expect.any(Array), ports: [{ port: 9470 }] },
    ]);
    expect(policyOf({ guard: { vpcs: true } }, 'ovn-steward-guard').ingress).toBeUndefined();
    expect(policyOf({}, 'ovn-steward-test').ingress).toBeUndefined();
  });

  test('places can be named', () => {
    const to = [{ ipBlock: { cidr: '10.0.0.0/8' } }];
    const values = { networkPolicy: { northbound: { to }, apiServer: { to }, dns: { to } } };
    expect(policyOf(values, 'ovn-steward').egress.map((it) => it.to)).toEqual([to, to, to]);
  });

  test('so can those of sinks, and the ports behind their Services', () => {
    const sinks = { to: [{ namespaceSelector: {} }], ports: [8443] };
    const { egress } = policyOf({ ...NOTIFYING, networkPolicy: { sinks } }, 'ovn-steward-notifier');
    expect(egress[1]).toEqual({ ports: [{ port: 8443 }], to: sinks.to });
    expect(egress.flatMap(({ ports }) => ports.map(({ port }) => port))).not.toContain(9093);
  });

  test.each([
    ['http://a/b:c', 80],
    ['https://[fd00::1]/hook', 443],
    ['https://[fd00::1]:8443', 8443],
    ['https://user@a.example:444/x', 444],
  ])('the port of %s is %d', (url, port) => {
    const values = { ...KAFKA.settings, notify: { sinks: { it: { type: 'webhook', url } } } };
    expect(out({ ...KAFKA, settings: values }, 'ovn-steward-notifier')).toContain(port);
  });

  test('none where they are off', () => {
    expect(
      rendered({ networkPolicy: { enabled: false } }).filter((it) => it.kind === 'NetworkPolicy'),
    ).toEqual([]);
  });
});
