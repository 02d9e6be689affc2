import { parse } from 'yaml';
import { EXECUTOR_ROLE } from '../executor-role';
import { GUARD_ROLES } from '../guard-roles';
import { rulesIn } from './rules-in';

test('the rules of a role, and of no other', () => {
  const rules = parse(rulesIn(GUARD_ROLES, 'ovn-steward-guard-install')) as {
    resources?: string[];
  }[];
  expect(rules[0]!.resources).toContain('mutatingadmissionpolicies');
  expect(parse(rulesIn(GUARD_ROLES, 'ovn-steward-guard'))).not.toEqual(rules);
});

test('comments stay', () =>
  expect(rulesIn(EXECUTOR_ROLE, 'ovn-steward-executor')).toMatch(/^# delete-ip/));

test('a role that is not there is an error', () =>
  expect(() => rulesIn(GUARD_ROLES, 'ovn-steward-read')).toThrow('no role ovn-steward-read'));
