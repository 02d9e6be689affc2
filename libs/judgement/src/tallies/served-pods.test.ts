import { entityOf, pod } from '../testing/builders';
import { servedPods } from './served-pods';

const made = (creationTimestamp?: string) =>
  entityOf(
    pod('shop/a', {
      metadata: {
        annotations: { 'ovn.kubernetes.io/allocated': 'true' },
        ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      },
    }),
  );

test('the newest is that of those that are left', () => {
  const figure = servedPods.start();
  const one = made('2026-01-01T00:05:59Z');
  const two = made('2026-01-01T00:05:00Z');
  const three = made('2026-01-01T00:03:00Z');
  const fifth = Date.UTC(2026, 0, 1, 0, 5) / 60_000;
  for (const it of [one, two, three, made()]) servedPods.add(figure, it, 'all');
  expect(figure.newest).toBe(fifth);
  servedPods.remove(figure, one, 'all');
  expect(servedPods.verdict?.(figure)).toBe(String(fifth));
  servedPods.remove(figure, two, 'all');
  expect(figure.newest).toBe(fifth - 2);
  servedPods.remove(figure, three, 'all');
  servedPods.remove(figure, made(), 'all');
  expect(figure).toEqual(servedPods.start());
});

test('a pod without an address is not counted', () =>
  expect(servedPods.keys(entityOf(pod('shop/a')))).toEqual([]));
