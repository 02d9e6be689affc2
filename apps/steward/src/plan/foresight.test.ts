import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Foreseen, Plan } from '@ovn-steward/executor';
import { Failure } from '@ovn-steward/shared/errors';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import type { Systems } from '@ovn-steward/systems/systems';
import { takeLog } from '../apply/act-here';
import { channelOf } from '../inputs/decisions';
import { foreseen } from './foresight';

const signal = new AbortController().signal;

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'foresight-'));
});
afterEach(() => rmSync(stateDir, { recursive: true }));

/** Systems whose lock is asked for as given. */
const systems = (takeOver: () => Promise<void>): Systems =>
  ({
    northbound: { identity: async () => 'nb:a', connections: () => 1, takeOver },
    kubernetes: { identity: async () => 'kube-a' },
  }) as unknown as Systems;
const fenced = (): Promise<never> =>
  Promise.reject(new Failure('fenced', 'Another executor acts on this Northbound.'));

/** Of a plan whose one entry ended before: nothing else is read. */
async function ahead(takeOver: () => Promise<void>): Promise<readonly Foreseen[]> {
  const channel = await channelOf({ stateDir });
  const entry = { id: 'a'.repeat(64), ripeAt: '2999-01-01T00:00:00.000Z' };
  const plan = { cluster: channel.cluster, entries: [entry] } as unknown as Plan;
  return foreseen(plan, channel, systems(takeOver), { overCeilings: false, signal });
}
const codes = (found: readonly Foreseen[]): readonly (string | undefined)[] =>
  found.map(({ stays }) => stays?.code);

test('where another executor has the Northbound, all of the plan stays, and it is said what to do', async () => {
  const [first] = await ahead(fenced);
  expect(first?.stays).toEqual({
    code: 'fenced',
    reason: expect.stringMatching(/^Another executor acts.*Name its log.*--take-over\.$/),
  });
});

test('where nobody has it, each entry is reported by itself', async () =>
  expect(codes(await ahead(async () => undefined))).toEqual(['unripe']));

test('what else the lock fails with is no answer', async () =>
  expect(
    ahead(() => Promise.reject(new Failure('source-unreachable', 'gone'))),
  ).rejects.toMatchObject({ code: 'source-unreachable' }));

test('where a pipeline runs on the folder it acts itself, and the lock is not asked for', async () => {
  const log = takeLog(stateDir)!;
  await log.ensureTopics(TOPICS);
  try {
    expect(codes(await ahead(fenced))).toEqual(['unripe']);
  } finally {
    await log.close();
  }
});
