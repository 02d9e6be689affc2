import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { EXECUTOR_ACTIONS } from '../../actions/registry';
import type { Proposal } from '../../findings/proposal';
import { actionsReached, addReached, countReached, type Reached } from './reached';

const finding = (id: string, revision: number): Proposal =>
  ({ id, revision, rule: 'leaked-ip' }) as Proposal;

test('a finding counts once in each revision, a removal each time', () => {
  const counter = countReached();
  for (const it of [finding('a', 2), finding('a', 2), finding('a', 3), finding('b', 2)])
    counter.found(it);
  counter.removed({ rule: 'leaked-ip' } as ActionRecord);
  counter.removed({ rule: 'leaked-ip' } as ActionRecord);
  counter.removed(undefined);
  expect(counter.reached).toEqual({ 'leaked-ip': { found: 3, removed: 2 } });
});

test('histories are added up', () => {
  const total: Reached = {};
  addReached(total, { 'leaked-ip': { found: 2, removed: 1 } });
  addReached(total, {
    'leaked-ip': { found: 3, removed: 0 },
    'leaked-vip': { found: 1, removed: 1 },
  });
  expect(total).toEqual({
    'leaked-ip': { found: 5, removed: 1 },
    'leaked-vip': { found: 1, removed: 1 },
  });
});

test('every action is named with every rule that proposes it, and one that nothing proposes is said to be so', () => {
  const reached = actionsReached({ 'leaked-ip': { found: 2, removed: 1 } });
  expect(Object.keys(reached)).toEqual(EXECUTOR_ACTIONS.map(({ id }) => id));
  expect(reached['delete-ip']).toEqual({ 'leaked-ip': { found: 2, removed: 1 } });
  expect(reached['delete-vip']).toEqual({ 'leaked-vip': { found: 0, removed: 0 } });
  expect(reached['delete-acl']).toBe('no rule proposes it');
  const named = Object.values(reached).flatMap((it) =>
    typeof it === 'string' ? [] : Object.keys(it),
  );
  const proposing = RULES.filter(({ remedy }) => EXECUTOR_ACTIONS.some(({ id }) => id === remedy));
  expect(named.sort()).toEqual(proposing.map(({ id }) => id).sort());
});
