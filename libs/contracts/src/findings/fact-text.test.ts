import { factText } from './fact-text';
import type { Fact } from './finding';

const subject = { source: 'ovn-nb', kind: 'ACL', uid: 'u1', name: 'a' } as const;

test.each<[Fact, string]>([
  [
    { fact: 'absent', source: 'kubernetes', kind: 'Pod', key: 'shop/web-0' },
    'there is no Pod shop/web-0 (kubernetes was listed completely)',
  ],
  [{ fact: 'present', subject }, 'ACL a exists (u1)'],
  [{ fact: 'unchanged', subject }, 'ACL a is still u1'],
  [{ fact: 'value', subject, path: 'priority', value: '1' }, 'ACL a has priority = 1'],
  [{ fact: 'unreferenced', subject }, 'nothing refers to ACL a'],
  [
    { fact: 'unclaimed', source: 'kubernetes', kind: 'IP', path: 'v4', value: '10.0.0.2' },
    'no IP has 10.0.0.2 as its v4',
  ],
  [
    { fact: 'idle', since: 'yesterday' } as unknown as Fact,
    'a fact that only a later version knows: {"fact":"idle","since":"yesterday"}',
  ],
])('%j', (fact, expected) => {
  expect(factText(fact)).toBe(expected);
});
