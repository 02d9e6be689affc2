import { RULES } from '../rules/registry';
import { HANGING_KINDS } from './hanging-kinds';

test('has the subject of each rule about a deletion, and of no other', () => {
  const about = RULES.filter(({ class: is, subject }) => is === 'stuck' && subject !== 'Pod').map(
    (it) => it.subject,
  );
  expect(about).toContain('Vpc');
  expect([...HANGING_KINDS].sort()).toEqual([...new Set<string>(about)].sort());
  expect(HANGING_KINDS.has('Pod')).toBe(false);
});
