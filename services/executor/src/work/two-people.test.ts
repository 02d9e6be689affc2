import type { Control } from '@ovn-steward/contracts/control/control';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CONTROL, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { embeddedLog } from '@ovn-steward/shared/signing/embedded-log';
import { type KeyHolder, trusting } from '@ovn-steward/shared/signing/testing/keys';
import type { Proposal } from '../findings/proposal';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision, controlEntry } from '../testing/controls';
import { RECORDED_CLUSTER as CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { ANNA, BOB, logOf, MALLORY } from '../testing/signing';

const PARTITION = partitionOf(CLUSTER, PARTITIONS);
const RULE = 'orphaned-port-group';
let log: Log;
let finding: Proposal;
let executor: Scene;

/** An executor on the embedded log, whose rule wants two people; it trusts anna and bob. */
beforeEach(async () => {
  log = openSqliteLog({ file: ':memory:' });
  await log.ensureTopics(TOPICS);
  const { northbound, kubernetes } = await recordedSystems('leaky');
  finding = (await recordedProposals('leaky')).find(({ rule }) => rule === RULE)!;
  executor = scene(
    { northbound, kubernetes },
    () => [finding],
    { ...OPEN_LIMITS, approvers: { [RULE]: 2 } },
    { log: embeddedLog(log, () => trusting(ANNA, BOB)) },
  );
});
afterEach(async () => {
  await executor.close();
  await log.close();
});

const approve = async (by: string, holder?: KeyHolder): Promise<void> => {
  const { id, revision } = finding;
  const approval = decision({
    type: 'approve',
    cluster: CLUSTER,
    finding: id,
    revision,
    by,
    approver: holder?.key.id ?? by,
    at: new Date().toISOString(),
  } as Parameters<typeof decision>[0] & Control);
  const record = { ...controlEntry(approval), timestamp: Date.now() };
  await (holder === undefined ? log : logOf(log, holder)).append(CONTROL, PARTITION, [record]);
};
const became = async (): Promise<string> => {
  await executor.turns(1);
  return executor.actions()[0]!.state;
};

test('approvals nobody signed are one person, whatever names they give', async () => {
  for (const by of ['anna', 'bob', 'carol']) await approve(by);
  expect(await became()).toBe('proposed');
  expect(executor.actions()[0]).toMatchObject({
    code: 'approval',
    reason: expect.stringMatching(/nobody signed it: .* count together as one person/),
  });
});

test('somebody who signed once is no second person under another name, or with a key nobody trusts', async () => {
  await approve('anna', ANNA);
  await approve('bob');
  await approve('anna', MALLORY);
  expect(await became()).toBe('proposed');
});

test('two keys are two people', async () => {
  await approve('anna', ANNA);
  expect(await became()).toBe('proposed');
  await approve('bob', BOB);
  expect(await became()).toBe('done');
  expect(executor.actions()[0]!.approvedBy).toBe('anna, bob');
});
