import type { Plan, Proposal } from '@ovn-steward/executor';
import { auditOf } from '../testing/mutate';
import type { Mutation } from '../testing/mutate';
import { stuck } from '../testing/stuck-cases';
import { free, type Hands } from './free';

const never = new AbortController().signal;
const ip = (it: Mutation, name: string): void => void stuck(it, 'IP', name, { spec: { podName: name, namespace: '', subnet: 'no-such', v4IpAddress: '10.77.1.1', attachSubnets: [], attachIps: [] } });

/** A world that changes from look to look, and a record of what was asked to be done in each. */
async function running(worlds: readonly ((it: Mutation) => void)[], state: 'done' | 'refused' = 'done') {
  const engines = await Promise.all(worlds.map((it) => auditOf('clean', it)));
  const rounds: string[][] = [];
  let looks = 0;
  const hands: Hands = {
    look: async () => engines[Math.min(looks++, engines.length - 1)]!,
    plan: async (proposals: readonly Proposal[]) => ({ entries: proposals.map((it) => ({ id: it.id, name: it.subject.name })) }) as unknown as Plan,
    apply: async (plan) => {
      rounds.push(plan.entries.map((it) => (it as unknown as { name: string }).name));
      return plan.entries.map(() => ({ state }) as never);
    },
    onRound: () => undefined,
  };
  return { rounds, freed: await free([], true, hands, never) };
}

test('goes on round by round until nothing is stuck', async () => {
  const { rounds, freed } = await running([(it) => { ip(it, 'a'); ip(it, 'b'); }, (it) => ip(it, 'c'), () => undefined]);
  expect(rounds).toEqual([['a', 'b']]); // c was not there when it began: nobody said that it may be touched
  expect(freed.diagnosis.trees.map(({ entity }) => entity.name)).toEqual(['c']);
});

test('ends when nothing could be done', async () => {
  const { rounds, freed } = await running([(it) => ip(it, 'a')], 'refused');
  expect(rounds).toEqual([['a']]);
  expect(freed).toMatchObject({ rounds: 1 });
});

test('does nothing where nothing is stuck', async () => {
  const { rounds, freed } = await running([() => undefined]);
  expect(rounds).toEqual([]);
  expect(freed).toMatchObject({ rounds: 1, actions: [] });
});
