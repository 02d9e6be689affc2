import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import type { Proposal } from '../findings/proposal';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { finishesDeletions } from '../testing/finishes-deletions';
import { recordedSystems } from '../testing/recorded-systems';

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let finding: Proposal;
let doubts: Map<string, string>;
let atLast: () => void;
let executor: Scene;

beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  finishesDeletions(kubernetes);
  doubts = new Map();
  atLast = () => undefined;
  finding = (await recordedProposals('leaky')).find(({ rule }) => rule === 'orphaned-port-group')!;
  executor = scene({ northbound, kubernetes }, () => [finding], OPEN_LIMITS, {
    doubtOf: (id) => doubts.get(id),
    fence: async () => atLast(),
  });
});
afterEach(() => executor.close());

const isThere = (): boolean => northbound.database.rows('Port_Group').has(finding.subject.uid);
const states = (): readonly string[] =>
  executor.actions().map(({ state, code }) => `${state} ${code}`);
/** Whether anything was claimed on the way. */
const isClaimed = (): boolean =>
  executor.events.some((each) => each.type === 'action' && each.action.state === 'claimed');
const WHY = 'it is in doubt: another may hold it; nothing was removed';

test.each([
  ['before it is proven', false, () => doubts.set(finding.id, 'another may hold it')],
  [
    'at the last moment',
    true,
    () => (atLast = () => void doubts.set(finding.id, 'another may hold it')),
  ],
])('what the newest record puts in doubt %s stays', async (_, claimed, says) => {
  says();
  await executor.turns(1);
  expect([states(), isThere()]).toEqual([['deferred unknown'], true]);
  expect(isClaimed()).toBe(claimed);
  expect(executor.actions()[0]!.reason).toBe(WHY);
});

test('the doubt about another finding keeps nothing', async () => {
  doubts.set('another', 'who knows');
  await executor.turns(1);
  expect([states(), isThere()]).toEqual([['done done'], false]);
});
