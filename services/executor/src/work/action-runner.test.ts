import { setTimeout as sleep } from 'node:timers/promises';
import type { Control } from '@ovn-steward/contracts/control/control';
import { operation as op } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import type { Proposal } from '../findings/proposal';
import { closeScenes, OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision } from '../testing/controls';
import { absentOwner, putOwner } from '../testing/put-owner';
import { recordedSystems } from '../testing/recorded-systems';

/** The first goes alone, since nothing is known of the pace; these go together. */
const TOGETHER = 3;
/** However slow this machine is, a proof is waited for; milliseconds. */
const PATIENT = 60_000;
/** Places in the rate are free again after their window of a second and one more; milliseconds. */
const AFTER_RESTART = 2100;
const DIED = new Failure('log-partition-lost', 'killed');

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let proposals: Proposal[];
/** How many were claimed when each write arrived. */
let claimedAt: number[];
let claims: string[];
let onClaim: (id: string, count: number) => void;
/** How many had their turn, by the worker's turns. */
let performed: number[];
let steady: jest.SpyInstance;

beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  proposals = (await recordedProposals('leaky'))
    .filter((it) => it.rule === 'orphaned-port-group' && absentOwner(it) !== undefined)
    .slice(0, 1 + TOGETHER);
  expect(proposals).toHaveLength(1 + TOGETHER);
  claimedAt = [];
  claims = [];
  onClaim = () => undefined;
  performed = [];
  northbound.database.fault = () => void claimedAt.push(claims.length) as undefined;
  // However slow this machine is, nothing takes long.
  steady = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
});
afterEach(async () => {
  steady.mockRestore();
  await closeScenes();
});

const acting = (more: Parameters<typeof scene>[3] = {}, executor: object = {}): Scene =>
  scene(
    { northbound, kubernetes },
    () => proposals,
    { ...OPEN_LIMITS, ...executor },
    {
      proofsWithinMs: PATIENT,
      ...more,
      onEvent: (event) => {
        if (event.type === 'turn') performed.push(event.performed);
        if (event.type !== 'action' || event.action.state !== 'claimed') return;
        claims.push(event.action.finding.id);
        onClaim(event.action.finding.id, claims.length);
      },
    },
  );
const reported = (executor: Scene): readonly string[] =>
  executor
    .actions()
    .map(({ state, code }) => `${state} ${code}`)
    .sort();
const isThere = ({ subject }: Proposal): boolean =>
  northbound.database.rows('Port_Group').has(subject.uid);
const byId = (id: string): Proposal => proposals.find((it) => it.id === id)!;

test('some go in one transaction, and each has its own claim, end and undo', async () => {
  const executor = acting();
  await executor.turns(1);
  expect(reported(executor)).toEqual(Array(4).fill('done done'));
  expect(claimedAt).toEqual([1, 1 + TOGETHER]);
  expect(new Set(claims).size).toBe(4);
  expect(new Set(executor.actions().map(({ undo }) => JSON.stringify(undo))).size).toBe(4);
  expect(proposals.filter(isThere)).toEqual([]);
});

test('what comes alive after it was claimed is kept, and the others go', async () => {
  let alive: Proposal | undefined;
  onClaim = (id, count) => {
    if (count === 3) putOwner(kubernetes, (alive = byId(id)));
  };
  const executor = acting();
  await executor.turns(1);
  expect(proposals.filter(isThere)).toEqual([alive]);
  const [kept] = executor.actions().filter(({ finding }) => finding.id === alive!.id);
  expect(kept).toMatchObject({ state: 'refused' });
  expect(executor.actions().filter(({ state }) => state === 'done')).toHaveLength(3);
});

test('a row that changed after it was read is not removed as it was read, and the others go', async () => {
  let changed: Proposal | undefined;
  onClaim = (id, count) => {
    if (count !== 3) return;
    changed = byId(id);
    northbound.database.transact([
      op.mutate('Port_Group', op.byUuid(changed.subject.uid), [
        ['external_ids', 'insert', op.map([['owner', 'somebody else']])],
      ]),
    ]);
  };
  const executor = acting();
  await executor.turns(1);
  expect(proposals.filter(isThere)).toEqual([changed]);
  expect(executor.actions().filter(({ state }) => state === 'done')).toHaveLength(3);
});

test('one whose proof is slow goes after the others', async () => {
  let slow: Proposal | undefined;
  let waits: Promise<void> | undefined;
  let arrive = (): void => undefined;
  // It arrives when the others were claimed, however long their proofs take on this machine.
  onClaim = (_, count) => count === TOGETHER && setImmediate(arrive);
  kubernetes.between = ({ verb, name }, moment) => {
    if (moment !== 'before' || verb !== 'get' || claims.length === 0) return;
    const read = proposals.find((each) => absentOwner(each)!.key.endsWith(`/${name}`));
    if (read === undefined || claims.includes(read.id)) return;
    slow ??= read;
    if (read === slow) return (waits ??= new Promise((resolve) => (arrive = resolve)));
  };
  const executor = acting({ proofsWithinMs: 3000 });
  await executor.turns(1); // so long after the decisions they are made again, and at once
  expect(reported(executor)).toEqual(Array(4).fill('done done'));
  expect(claimedAt).toEqual([1, TOGETHER, 1 + TOGETHER]);
  expect(claims.at(-1)).toBe(slow!.id);
  expect(performed).toEqual([TOGETHER, 1]);
});

test.each([
  ['reply', 'each is found gone', 'settled', 2],
  ['request', 'each is sent again', 'done', 2 + TOGETHER],
] as const)('where the %s of one transaction is lost, %s', async (lost, _, code, sent) => {
  northbound.database.fault = () => {
    claimedAt.push(claims.length);
    return claimedAt.length === 2 ? `lose-${lost}` : undefined;
  };
  const executor = acting();
  await executor.turns(1);
  expect(reported(executor)).toEqual(['done done', ...Array(TOGETHER).fill(`done ${code}`)].sort());
  expect(proposals.filter(isThere)).toEqual([]);
  expect(claimedAt).toHaveLength(sent);
});

test('a hold that is placed once they are claimed keeps all of them', async () => {
  const executor = acting();
  let placed: Promise<void> | undefined;
  onClaim = (_, count) => {
    if (count === 2)
      placed = executor.decide(
        decision({
          type: 'hold',
          scope: {},
          reason: 'a change is under way',
          until: null,
          cluster: executor.options.cluster,
        } as Control),
      );
  };
  await executor.turns(1);
  await placed;
  expect(proposals.filter(isThere)).toHaveLength(TOGETHER);
  expect(claims).toHaveLength(4);
  expect(reported(executor)).toEqual([
    'deferred held',
    'deferred held',
    'deferred held',
    'done done',
  ]);
});

test('a process that dies between their claims and their sending leaves each to the next', async () => {
  let alive = true;
  const executor = acting({
    fence: () => {
      if (claims.length > 1 && alive) return Promise.reject(DIED);
      return Promise.resolve();
    },
  });
  await expect(executor.turns(1)).rejects.toBe(DIED);
  expect(reported(executor)).toEqual([...Array(TOGETHER).fill('claimed claimed'), 'done done']);
  expect([claimedAt, proposals.filter(isThere).length]).toEqual([[1], TOGETHER]);
  alive = false;
  // After a restart places in the rate are taken for a second longer; then they come one by one.
  await sleep(AFTER_RESTART);
  await executor.turns(1);
  expect(reported(executor)).toEqual(Array(4).fill('done done'));
  // The next process knows nothing of the pace either: one alone, and the two that are left.
  expect(claimedAt).toHaveLength(3);
});

test('no more go together than have a place in the rate', async () => {
  const executor = acting({}, { rate: { perSecond: 0.001, burst: 3 } });
  const ended = executor.turns(1).catch(() => undefined);
  while (claimedAt.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(claimedAt).toEqual([1, 3]);
  expect(proposals.filter(isThere)).toHaveLength(1);
  void ended;
});
