import { Notification } from '@ovn-steward/contracts/notifications/notification';
import { causeless, finding, NOW } from '../testing/findings';
import type { Delivered } from '../store/notifier-store';
import { compose } from './compose';

const DUE = { sink: 'chat', group: 'g', delivered: undefined };
const first = compose(DUE, [finding('a')], NOW)!;
const delivered: Delivered = { ...first, at: NOW.getTime() };
const next = (open: Parameters<typeof compose>[1], again = false) =>
  compose({ ...DUE, delivered }, open, NOW, again);

test('one finding is reported by its summary, and fits the schema', () => {
  expect(Notification.parse(first.last)).toEqual(first.last);
  expect(first.last).toMatchObject({
    state: 'open',
    severity: 'warning',
    title: finding('a').summary,
    cause: { key: 'shop/web-0' },
    open: 1,
    added: 1,
    since: finding('a').firstSeen,
  });
});

test('several are reported by their cause, the worst first, and at most twenty by name', () => {
  const many = Array.from({ length: 30 }, (_, n) =>
    finding(`f${n}`, {
      firstSeen: `2026-03-02T10:00:${String(59 - n)}Z`,
      severity: n === 7 ? 'critical' : 'info',
    }),
  );
  const { last } = compose(DUE, many, NOW)!;
  expect(last).toMatchObject({
    title: '30 findings: Pod shop/web-0 no longer exists',
    severity: 'critical',
    open: 30,
    added: 30,
    since: '2026-03-02T10:00:30Z',
  });
  expect(last.findings.map((it) => it.id).slice(0, 2)).toEqual(['f7', 'f29']);
  expect(last.findings).toHaveLength(20);
  expect(compose(DUE, [causeless('a'), causeless('b', { rule: 'x' })], NOW)!.last.title).toBe(
    '2 findings: orphaned-logical-switch-port, x',
  );
});

test('no news: the same in other words, fewer, or one that is back', () => {
  expect(
    next([finding('a', { revision: 9, summary: 'other words', severity: 'info' })]),
  ).toBeUndefined();
  const two = compose({ ...DUE, delivered }, [finding('a'), finding('b')], NOW)!;
  const reportTwo = { ...DUE, delivered: { ...two, at: 1 } };
  const fewer = compose(reportTwo, [finding('b')], NOW);
  expect(two.last).toMatchObject({ open: 2, added: 1 });
  expect(fewer).toBeUndefined();
  expect(compose(reportTwo, [finding('b'), finding('a')], NOW)).toBeUndefined();
});

test('news: another finding, a worse one, none any more; and what has to be sent again', () => {
  expect(next([finding('b')])?.last).toMatchObject({ open: 1, added: 1 });
  expect(next([finding('a', { severity: 'critical' })])?.last).toMatchObject({
    severity: 'critical',
    added: 0,
  });
  expect(next([finding('a')], true)?.last).toMatchObject({ open: 1, added: 0 });
  const over = next([]);
  expect(over).toMatchObject({
    ids: [],
    last: {
      state: 'resolved',
      open: 0,
      findings: [],
      title: first.last.title,
      severity: 'warning',
    },
  });
  expect(over!.last.id).not.toBe(first.last.id);
  expect(compose({ ...DUE, delivered: { ...over!, at: 1 } }, [], NOW, true)).toBeUndefined();
  expect(compose(DUE, [], NOW)).toBeUndefined();
});

test('hostile text stays on its line', () => {
  const { last } = compose(DUE, [finding('a', { summary: 'x\nRESOLVED \u001b[2J' })], NOW)!;
  for (const text of [last.title, last.findings[0]!.summary])
    expect(text).toBe('x RESOLVED \\u001b[2J');
});
