import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { causeText } from './cause-text';
import type { SeenChange } from './seen-change';

const T = (minute: number): string => `2026-03-02T10:0${minute}:00.000Z`;
const FINDING = { cause: { kind: 'Pod', key: 'shop/a', text: 'x' } } as Finding;
const change = (at: number, kind: string, namespace: string, name: string, more: object = {}) =>
  ({
    change: {
      type: 'put',
      source: 'kubernetes',
      kind,
      namespace,
      name,
      uid: `${kind}/${name}`,
      observedAt: T(at),
      epoch: 1,
      object: { metadata: {} },
      ...more,
    },
    position: `p${at}`,
  }) as unknown as SeenChange;
const gone = (at: number, kind: string, namespace: string, name: string, more: object = {}) =>
  change(at, kind, namespace, name, { type: 'delete', ...more });
const lease = (at: number, holderIdentity?: string) =>
  change(at, 'Lease', 'kube-system', 'kube-ovn-controller', {
    object: { spec: { holderIdentity } },
  });
const controller = 'kube-ovn-controller-1';
const pod = change(0, 'Pod', 'shop', 'a');
const leads = [change(0, 'Pod', 'kube-system', controller), lease(0, `${controller}_x`)];
const attached = change(0, 'Pod', 'shop', 'a', {
  object: { metadata: { annotations: { 'k8s.v1.cni.cncf.io/networks': 'infra/net' } } },
});
const NAD = 'NetworkAttachmentDefinition';

test('missed while no controller led', () =>
  expect(
    causeText(FINDING, [
      ...[pod, ...leads, gone(2, 'Pod', 'kube-system', controller)],
      ...[gone(3, 'Pod', 'shop', 'a'), lease(5, 'other_y')],
    ]),
  ).toMatch(
    `Pod shop/a went at ${T(3)} (p3), while no controller of Kube-OVN led: Pod kube-system/${controller} went at ${T(2)} (p2), the Lease was taken at ${T(5)} (p5).`,
  ));

test.each([
  ['has no holder', undefined],
  ['is held by nobody', ''],
])('missed after the leader gave up its Lease, which %s', (_, nobody) =>
  expect(
    causeText(FINDING, [
      pod,
      ...leads,
      lease(1, nobody),
      gone(3, 'Pod', 'shop', 'a'),
      lease(5, 'other_y'),
    ]),
  ).toMatch(
    `Pod shop/a went at ${T(3)} (p3), while no controller of Kube-OVN led: the Lease was given up at ${T(1)} (p1), the Lease was taken at ${T(5)} (p5).`,
  ),
);

test('of a name that went twice the last one counts', () =>
  expect(
    causeText(FINDING, [
      ...[pod, ...leads, gone(1, 'Pod', 'shop', 'a')],
      ...[change(2, 'Pod', 'shop', 'a'), gone(2, 'Pod', 'kube-system', controller)],
      ...[gone(3, 'Pod', 'shop', 'a'), lease(5, 'other_y')],
    ]),
  ).toMatch(`Pod shop/a went at ${T(3)} (p3), while no controller of Kube-OVN led`));

test.each([
  ['no metadata', {}],
  [
    'an annotation that is no text',
    { metadata: { annotations: { 'k8s.v1.cni.cncf.io/networks': 1 } } },
  ],
])('a pod with %s names no attachment', (_, object) =>
  expect(
    causeText(FINDING, [change(0, 'Pod', 'shop', 'a', { object }), gone(3, 'Pod', 'shop', 'a')]),
  ).toMatch('no change shows why'),
);

test('an attachment that went first', () =>
  expect(
    causeText(FINDING, [
      ...[attached, change(0, NAD, 'infra', 'net'), gone(1, NAD, 'infra', 'net')],
      gone(2, 'Pod', 'shop', 'a'),
    ]),
  ).toMatch(`${NAD} infra/net went at ${T(1)} (p1), before Pod shop/a`));

test.each<[title: string, changes: readonly SeenChange[]]>([
  ['nothing is recorded', []],
  ['it went while a controller led', [pod, ...leads, gone(3, 'Pod', 'shop', 'a')]],
  [
    'it went before the controller did',
    [
      ...[pod, ...leads, gone(1, 'Pod', 'shop', 'a')],
      ...[gone(2, 'Pod', 'kube-system', controller), lease(5, 'other_y')],
    ],
  ],
  [
    'the Lease was deleted, and taken by nobody',
    [
      ...[pod, ...leads, gone(2, 'Pod', 'kube-system', controller), gone(3, 'Pod', 'shop', 'a')],
      gone(5, 'Lease', 'kube-system', 'kube-ovn-controller'),
    ],
  ],
  [
    'the Lease was deleted, which is not to give it up',
    [
      ...[pod, ...leads, gone(1, 'Lease', 'kube-system', 'kube-ovn-controller')],
      ...[gone(3, 'Pod', 'shop', 'a'), lease(5, 'other_y')],
    ],
  ],
  [
    'it went after the Lease was taken',
    [
      ...[pod, ...leads, gone(2, 'Pod', 'kube-system', controller), lease(3, 'other_y')],
      gone(5, 'Pod', 'shop', 'a'),
    ],
  ],
  [
    'a full read found it gone, at any time before',
    [
      ...[pod, ...leads, gone(2, 'Pod', 'kube-system', controller)],
      ...[gone(3, 'Pod', 'shop', 'a', { epoch: 2 }), lease(5, 'other_y')],
    ],
  ],
  [
    'another pod than the leader went',
    [
      ...[pod, ...leads, change(0, 'Pod', 'kube-system', `${controller}2`)],
      ...[gone(2, 'Pod', 'kube-system', `${controller}2`), gone(3, 'Pod', 'shop', 'a')],
      lease(5, 'other_y'),
    ],
  ],
  [
    'the attachment went after it',
    [
      ...[attached, change(0, NAD, 'infra', 'net'), gone(2, 'Pod', 'shop', 'a')],
      gone(3, NAD, 'infra', 'net'),
    ],
  ],
  [
    'an attachment of others went',
    [
      ...[attached, change(0, NAD, 'infra', 'b'), gone(1, NAD, 'infra', 'b')],
      gone(2, 'Pod', 'shop', 'a'),
    ],
  ],
])('unknown where %s', (_, changes) => expect(causeText(FINDING, changes)).toMatch(/^unknown: /));

test('unknown where the finding names no cause', () =>
  expect(causeText({} as Finding, [pod, gone(3, 'Pod', 'shop', 'a')])).toMatch(/^unknown: /));
