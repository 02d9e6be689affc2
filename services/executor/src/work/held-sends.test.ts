import { operation } from '@ovn-steward/ovsdb';
import type { Control } from '@ovn-steward/contracts/control/control';
import { Failure } from '@ovn-steward/shared/errors';
import { CALLED_OFF } from '@ovn-steward/shared/marks';
import type { Proposal } from '../findings/proposal';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision } from '../testing/controls';
import { finishesDeletions } from '../testing/finishes-deletions';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';

const DIED = new Failure('log-partition-lost', 'killed');

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let proposals: Proposal[];
let executor: Scene;
let fence: () => Promise<void>;

beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  finishesDeletions(kubernetes);
  proposals = await recordedProposals('leaky');
  fence = () => Promise.resolve();
  executor = scene({ northbound, kubernetes }, () => proposals, OPEN_LIMITS, {
    fence: () => fence(),
  });
});
afterEach(() => executor.close());

const only = (rule: string): Proposal =>
  (proposals = proposals.filter((each) => each.rule === rule).slice(0, 1))[0]!;
const say = (reported: object): Promise<void> =>
  executor.decide(decision({ cluster: RECORDED_CLUSTER, ...reported } as Control));
const hold = (more: object = {}): Promise<void> =>
  say({ type: 'hold', scope: {}, reason: 'a change', until: null, ...more });
const resume = (): Promise<void> => say({ type: 'resume', scope: {} });
const reported = (): readonly string[] =>
  executor.actions().map(({ state, code }) => `${state} ${code}`);
const isThere = ({ subject: { source, kind, uid } }: Proposal): boolean =>
  source === 'kubernetes'
    ? kubernetes
        .objects(kind)
        .some(({ metadata }) => metadata.uid === uid && metadata.deletionTimestamp === undefined)
    : northbound.database.rows(kind).has(uid);
/**
 * What is done the next time this process proves that the cluster is still its own, which is right
 * before a write.
 */
const atTheLastMoment = (step: () => Promise<void>): void => {
  fence = async () => {
    fence = () => Promise.resolve();
    await step();
  };
};

describe('a hold that is said while something is being proven', () => {
  test.each(['leaked-ip', 'orphaned-port-group'])('keeps %s from being removed', async (rule) => {
    const finding = only(rule);
    atTheLastMoment(hold);
    await executor.turns(1);
    expect([reported(), isThere(finding)]).toEqual([['deferred held'], true]);
    expect(executor.actions()[0]!.reason).toContain('anna holds the whole cluster (a change)');
    await resume();
    await executor.turns(1);
    expect([reported()[0]?.split(' ')[0], isThere(finding)]).toEqual(['done', false]);
  });

  test.each([
    ['the subnet of the port keeps the address record', 'elsewhere', 'deferred', true],
    ['a third subnet does not', 'third', 'done', false],
  ])('of %s, where the two differ', async (_, subnet, becomes, stays) => {
    const finding = (proposals = proposals
      .filter(
        (each) =>
          each.rule === 'leaked-ip' &&
          each.concerns.some(({ kind }) => kind === 'Logical_Switch_Port'),
      )
      .slice(0, 1))[0]!;
    const { uid } = finding.concerns.find(({ kind }) => kind === 'Logical_Switch_Port')!;
    northbound.database.transact([
      operation.mutate('Logical_Switch_Port', operation.byUuid(uid), [
        ['external_ids', 'delete', operation.set(['ls'])],
        ['external_ids', 'insert', operation.map([['ls', 'elsewhere']])],
      ]),
    ]);
    await hold({ scope: { subnet } });
    await executor.turns(1);
    expect([executor.actions()[0]?.state, isThere(finding)]).toEqual([becomes, stays]);
  });

  test('of another scope keeps nothing', async () => {
    const finding = only('orphaned-port-group');
    atTheLastMoment(() => hold({ scope: { rule: 'leaked-ip' } }));
    await executor.turns(1);
    expect([reported(), isThere(finding)]).toEqual([['done done'], false]);
  });

  test('or that cannot be read: nothing is sent', async () => {
    const finding = only('orphaned-port-group');
    const { read } = executor.options.log;
    atTheLastMoment(async () => {
      executor.options.log.read = () => Promise.reject(new Failure('log-unavailable', 'no broker'));
    });
    await executor.turns(1);
    executor.options.log.read = read;
    expect([reported(), isThere(finding)]).toEqual([['deferred log-unavailable'], true]);
  });
});

describe('an undo', () => {
  const undone = async (): Promise<Proposal> => {
    const finding = only('orphaned-port-group');
    await executor.turns(1);
    expect(isThere(finding)).toBe(false);
    await say({ type: 'undo', of: executor.actions()[0]!.id, at: new Date().toISOString() });
    return finding;
  };

  test('waits for the end of a hold, and says so', async () => {
    const finding = await undone();
    await hold();
    await executor.turns(2);
    expect([reported(), isThere(finding)]).toEqual([['done undo-held'], false]);
    await resume();
    await executor.turns(1);
    expect([reported(), isThere(finding)]).toEqual([['undone undone'], true]);
  });

  test('waits for one that is said at the last moment', async () => {
    const finding = await undone();
    atTheLastMoment(hold);
    await executor.turns(1);
    expect([reported(), isThere(finding)]).toEqual([['done undo-held'], false]);
  });

  test('goes on under a hold that excepts it', async () => {
    const finding = await undone();
    await hold({ except: ['undo'] });
    await executor.turns(1);
    expect([reported(), isThere(finding)]).toEqual([['undone undone'], true]);
  });
});

describe('a deletion that may still arrive', () => {
  const sentByWhoDied = async (): Promise<Proposal> => {
    const finding = only('leaked-ip');
    kubernetes.fault = ({ verb }) => (verb === 'delete' ? DIED : undefined);
    await expect(executor.turns(1)).rejects.toBe(DIED);
    kubernetes.fault = undefined;
    expect(reported()).toEqual(['claimed sending']);
    return finding;
  };
  const isCalledOff = ({ subject }: Proposal): boolean =>
    CALLED_OFF in
    ((kubernetes.objects('IP').find((each) => each.metadata.uid === subject.uid)!.metadata[
      'annotations'
    ] ?? {}) as object);

  test('is not called off under a hold; the claim stays open, and is settled after it', async () => {
    const finding = await sentByWhoDied();
    await hold();
    await executor.turns(1);
    expect([reported(), isCalledOff(finding)]).toEqual([['claimed sending'], false]);
    await resume();
    await executor.turns(1);
    expect([executor.ledger.open(RECORDED_CLUSTER), isCalledOff(finding)]).toEqual([[], true]);
  });

  test('is under one that excepts it', async () => {
    const finding = await sentByWhoDied();
    await hold({ except: ['call-off'] });
    await executor.turns(1);
    expect([reported(), isCalledOff(finding)]).toEqual([['deferred held'], true]);
  });
});
