import type { SeenChange } from './seen-change';
import { timelineOf } from './timeline';

const POD = { source: 'kubernetes', kind: 'Pod', namespace: 'shop', name: 'a', uid: 'u' };
const seen = (observedAt: string, more: object): SeenChange =>
  ({
    change: { type: 'put', ...POD, observedAt, epoch: 1, object: {}, ...more },
    position: `p/${observedAt}`,
  }) as never;
const T = (minute: number): string => `2026-03-02T10:0${minute}:00.000Z`;

test('one line for each thing that happened, and for each time an object carries, in their order', () => {
  const metadata = { creationTimestamp: T(0), uid: 'u' };
  const entries = timelineOf([
    seen(T(2), { object: { metadata, status: { phase: 'Pending' } } }),
    seen(T(3), { object: { metadata, status: { phase: 'Running' } } }),
    seen(T(4), { object: { metadata, status: { phase: 'Running' } } }),
    seen(T(6), {
      object: { metadata: { ...metadata, deletionTimestamp: T(5) }, status: { phase: 'Running' } },
    }),
    seen(T(7), { type: 'delete' }),
  ]);
  expect(entries.map((it) => [it.at, it.what])).toEqual([
    [T(0), 'created'],
    [T(2), 'first seen here'],
    [T(3), 'changed: status.phase'],
    [T(5), 'its deletion was asked for'],
    [T(6), 'changed: metadata.deletionTimestamp'],
    [T(7), 'seen to be gone'],
  ]);
  expect(entries.map((it) => it.position).slice(0, 3)).toEqual([
    `p/${T(2)}`,
    `p/${T(2)}`,
    `p/${T(3)}`,
  ]);
});

test('says whose each thing is', () => {
  const lanes = timelineOf([
    seen(T(1), {}),
    seen(T(2), { kind: 'IP', uid: 'i' }),
    seen(T(3), { kind: 'Logical_Switch_Port', source: 'ovn-nb', uid: 'o' }),
  ]).map((it) => it.lane);
  expect(lanes).toEqual(['kubernetes', 'kube-ovn', 'ovn']);
});

test('a namesake is another thing', () =>
  expect(
    timelineOf([seen(T(1), {}), seen(T(2), { type: 'delete' }), seen(T(3), { uid: 'v' })]).map(
      (it) => it.what,
    ),
  ).toEqual(['first seen here', 'seen to be gone', 'first seen here']));

test('what a full read repeats of a thing that is gone, or too large, is said once', () =>
  expect(
    timelineOf([
      seen(T(1), { type: 'omitted', hash: 'a' }),
      seen(T(2), { type: 'omitted', hash: 'a' }),
      seen(T(3), { type: 'omitted', hash: 'b' }),
      seen(T(4), { type: 'delete' }),
      seen(T(5), { type: 'delete' }),
      seen(T(6), { type: 'omitted', hash: 'b' }),
    ]).map((it) => [it.at, it.what]),
  ).toEqual([
    [T(1), 'first seen here, too large to be published'],
    [T(3), 'changed, and too large to be published'],
    [T(4), 'seen to be gone'],
    [T(6), 'there again, too large to be published'],
  ]));
