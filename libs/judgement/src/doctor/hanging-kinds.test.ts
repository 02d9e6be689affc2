import { RULES } from '../rules/registry';
import { HANGING_KINDS } from './hanging-kinds';

test('has the subject of each rule about a deletion, and of no other', () => {
  // What is held or does not work is stuck as well, but is not being deleted.
  const isDeleted = (subject: string): boolean => !['Pod', 'Lease'].includes(subject);
  const about = RULES.filter(({ class: is, subject }) => is === 'stuck' && isDeleted(subject)).map(
    (it) => it.subject,
  );
  expect(about).toContain('Vpc');
  expect([...HANGING_KINDS].sort()).toEqual([...new Set<string>(about)].sort());
  expect(HANGING_KINDS.has('Pod')).toBe(false);
});
