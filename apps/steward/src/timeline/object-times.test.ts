import { objectTimes } from './object-times';

const pod = (metadata: object): object => ({ metadata });

test('each time by the name of its field, at any depth', () =>
  expect(
    objectTimes({
      metadata: { creationTimestamp: '2026-03-02T10:00:00Z' },
      status: { conditions: [{ lastTransitionTime: '2026-03-02T10:00:01Z' }] },
      spec: { note: '2026-03-02T10:00:02Z' },
    }),
  ).toEqual([
    { at: '2026-03-02T10:00:00Z', what: 'created' },
    { at: '2026-03-02T10:00:01Z', what: 'says status.conditions.0.lastTransitionTime' },
  ]));

test('a deletion was asked for when its grace period began, not when it ends', () =>
  expect(
    objectTimes(pod({ deletionTimestamp: '2026-03-02T10:00:30Z', deletionGracePeriodSeconds: 30 })),
  ).toEqual([{ at: '2026-03-02T10:00:00.000Z', what: 'its deletion was asked for' }]));

test.each([[undefined], [0], ['30']])('without a grace period (%p) that is the field', (grace) =>
  expect(
    objectTimes(
      pod({ deletionTimestamp: '2026-03-02T10:00:30Z', deletionGracePeriodSeconds: grace }),
    ),
  ).toEqual([{ at: '2026-03-02T10:00:30Z', what: 'its deletion was asked for' }]),
);

test('what no clock can show is no time', () =>
  expect(objectTimes({ status: { startTime: '2026-13-40T25:61:61Z' } })).toEqual([]));
