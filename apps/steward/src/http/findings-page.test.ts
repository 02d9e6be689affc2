import type { Finding } from '@ovn-steward/shared/events/finding';
import { lookAt } from '../testing/truth';
import { findingsPage } from './findings-page';
import { FindingsQuery } from './schemas';

let known: readonly Finding[] = [];
beforeAll(async () => { known = (await lookAt('leaky')).findings(); });

const page = (query: object, resolved: readonly Finding[] = []): ReturnType<typeof findingsPage> =>
  findingsPage({ findings: () => known, resolved: () => resolved, now: '2026-01-01T00:00:00Z' }, FindingsQuery.parse(query), true);

test('pages of any size are all findings, each once, in the order of their ids', () => {
  for (const limit of [1, 7, known.length, 1000]) {
    const seen: string[] = [];
    for (let after: string | undefined; seen.length <= known.length;) {
      const it = page({ limit, after });
      expect(it.findings.length).toBeLessThanOrEqual(limit);
      expect(it.total).toBe(known.length);
      seen.push(...it.findings.map(({ id }) => id));
      if (it.next === null) break;
      after = it.next;
    }
    expect(seen).toEqual(known.map((it) => it.id).sort());
  }
});

test('filters narrow, and go together', () => {
  const leaked = known.filter((it) => it.rule === 'leaked-ip');
  expect(leaked.length).toBeGreaterThan(0);
  expect(leaked.length).toBeLessThan(known.length);
  expect(page({ rule: 'leaked-ip' }).total).toBe(leaked.length);
  expect(page({ class: 'leak' }).findings.every((it) => it.class === 'leak')).toBe(true);
  expect(page({ class: 'garbage', rule: 'leaked-ip' }).total).toBe(0);
  expect(page({ state: 'suspected' }).total + page({ state: 'confirmed' }).total).toBe(known.length);
});

test('resolved ones are shown only when asked for', () => {
  const resolved: Finding = { ...known[0]!, id: 'f'.repeat(64), state: 'resolved', resolvedAt: '2026-01-01T00:00:00Z' };
  expect(page({ limit: 1000 }, [resolved]).findings).not.toContainEqual(resolved);
  expect(page({ state: 'resolved' }, [resolved]).findings).toEqual([resolved]);
});

test.each([{ limit: 0 }, { limit: 1001 }, { limit: '' }, { limit: 'x' }, { limit: ['1', '2'] }, { state: 'gone' }, { class: 'constructor' }, { rule: '' }, { rule: 'x'.repeat(101) }, { after: ['a', 'b'] }, { unknown: 1 }, JSON.parse('{"__proto__":"x"}')])('%j is refused', (query) => {
  expect(FindingsQuery.safeParse(query).success).toBe(false);
});
