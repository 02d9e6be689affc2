import type { Plan, Proposal } from '@ovn-steward/executor';
import { auditOf } from '../testing/mutate';
import type { Mutation } from '../testing/mutate';
import { stuck } from '../testing/stuck-cases';
import { free, type FreeingSteps } from './free';

const never = new AbortController().signal;
const ip = (recording: Mutation, name: string): void =>
  void stuck(recording, 'IP', name, {
    metadata: { uid: `uid of ${name}` },
    spec: {
      podName: name,
      namespace: '',
      subnet: 'no-such',
      v4IpAddress: '10.77.1.1',
      attachSubnets: [],
      attachIps: [],
    },
  });

/** A world that changes from round to round, and a record of what was asked to be done in each. */
async function running(
  worlds: readonly ((it: Mutation) => void)[],
  state: 'done' | 'refused' = 'done',
  agreed: FreeingSteps['agreed'] = async () => true,
  patients: Parameters<typeof free>[0] = [],
) {
  const engines = await Promise.all(worlds.map((it) => auditOf('clean', it)));
  const rounds: string[][] = [];
  let observations = 0;
  const steps: FreeingSteps = {
    observe: async () => engines[Math.min(observations++, engines.length - 1)]!,
    plan: async (proposals: readonly Proposal[]) =>
      ({
        id: `plan ${observations}`,
        entries: proposals.map((it) => ({ id: it.id, name: it.subject.name })),
      }) as unknown as Plan,
    apply: async (plan) => {
      rounds.push(plan.entries.map((it) => (it as unknown as { name: string }).name));
      return plan.entries.map(() => ({ state }) as never);
    },
    agreed,
  };
  return { rounds, freed: await free(patients, patients.length === 0, steps, never) };
}

test('goes on round by round until nothing is stuck', async () => {
  const { rounds, freed } = await running([
    (recording) => {
      ip(recording, 'a');
      ip(recording, 'b');
    },
    (it) => ip(it, 'c'),
    () => undefined,
  ]);
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

test('says which plans did something, the last first', async () => {
  const { freed } = await running([
    (recording) => {
      ip(recording, 'b');
      ip(recording, 'a');
    },
    (it) => ip(it, 'b'),
    () => undefined,
  ]);
  expect(freed.plans).toEqual(['plan 2', 'plan 1']);
  expect((await running([(it) => ip(it, 'a')], 'refused')).freed.plans).toEqual([]);
});

test('does no round that nobody agreed to, and asks with what is seen', async () => {
  const requested: [number, number, number][] = [];
  const { rounds, freed } = await running(
    [
      (recording) => {
        ip(recording, 'b');
        ip(recording, 'a');
      },
      (it) => ip(it, 'b'),
    ],
    'done',
    async (round, plan, { trees }) => {
      requested.push([round, plan.entries.length, trees.length]);
      return round === 1;
    },
  );
  expect(requested).toEqual([
    [1, 2, 2],
    [2, 1, 1],
  ]);
  expect(rounds).toEqual([['b', 'a']]);
  expect(freed).toMatchObject({ rounds: 2, plans: ['plan 1'], declined: { id: 'plan 2' } });
});

test('what it freed is gone as was wanted; what was never there is missing', async () => {
  const { freed } = await running([(it) => ip(it, 'a'), () => undefined], 'done', undefined, [
    { kind: 'IP', key: 'a' },
    { kind: 'IP', key: 'mistyped' },
  ]);
  expect(freed.diagnosis).toMatchObject({
    trees: [],
    well: ['IP a is gone'],
    missing: [{ kind: 'IP', key: 'mistyped' }],
  });
});
