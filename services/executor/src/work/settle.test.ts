import { operation } from '@ovn-steward/ovsdb';
import type { Control } from '@ovn-steward/contracts/control/control';
import { Failure } from '@ovn-steward/shared/errors';
import type { Proposal } from '../findings/proposal';
import { closeScenes, OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision } from '../testing/controls';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { itemOf } from '../gate/item';
import { Ledger } from '../ledger/ledger';
import { type StateFile, openStateFile } from '@ovn-steward/shared/log/state-file';
import { undoOf } from '../testing/actions';
import { belongingOf } from '../testing/identities';
import { LedgerWriter } from './ledger-writer';
import { settle } from './settle';
import { unprovenIn } from './unproven';
import type { ClusterWork } from './work';
import { recordedProver } from '../testing/recorded-prover';

const DIED = new Failure('log-partition-lost', 'killed');
const NOW = Date.parse('2026-05-04T10:00:00Z');
const never = new AbortController().signal;

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let proposals: Proposal[];
let group: Proposal;
let dies: boolean;
let now: number;

beforeEach(async () => {
  dies = true;
  now = NOW;
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  group = (await recordedProposals('leaky')).find((it) => it.rule === 'orphaned-port-group')!;
  proposals = [group];
});

afterEach(closeScenes);

/** An executor that dies after its claim and before it sends anything, as long as `dies`. */
const acting = (executor: object = {}, more: Parameters<typeof scene>[3] = {}): Scene =>
  scene(
    { northbound, kubernetes },
    () => proposals,
    { ...OPEN_LIMITS, ...executor },
    {
      clock: () => new Date(now),
      fence: () => (dies ? Promise.reject(DIED) : Promise.resolve()),
      ...more,
    },
  );
const said = (reported: object): Control =>
  decision({ cluster: RECORDED_CLUSTER, at: new Date(now).toISOString(), ...reported } as Control);
const isThere = (): boolean => northbound.database.rows('Port_Group').has(group.subject.uid);
async function claimedBy(running: Scene): Promise<void> {
  await expect(running.turns(1)).rejects.toBe(DIED);
  expect(running.ledger.open(RECORDED_CLUSTER)).toHaveLength(1);
  dies = false;
}

const FREEZE = { freezes: ['2026-05-04T11:00Z/2026-05-05T00:00Z'] };

test.each<[string, string, object, (it: Scene) => unknown]>([
  [
    'a hold',
    'deferred held',
    {},
    (it) => it.decide(said({ type: 'hold', scope: {}, reason: '', until: null })),
  ],
  ['a freeze', 'deferred freeze', FREEZE, () => (now += 2 * 3_600_000)],
  [
    'the end of an approval',
    'proposed approval',
    { mode: 'propose' },
    (it) => it.decide(said({ type: 'withdraw', of: `approve/${group.id}` })),
  ],
])(
  'what was claimed and not sent is not carried out through %s',
  async (_, stands, executor, change) => {
    const running = acting(executor);
    await running.decide(said({ type: 'approve', finding: group.id, revision: group.revision }));
    await claimedBy(running);
    await change(running);
    await running.turns(2);
    expect(
      running
        .actions()
        .map(({ state, code, undo, claimedAt }) => [`${state} ${code}`, undo, claimedAt]),
    ).toEqual([[stands, null, null]]);
    expect(isThere()).toBe(true);
  },
);

test('nor by whoever is there for something else; and then it is done', async () => {
  const running = acting();
  await claimedBy(running);
  const other = scene({ northbound, kubernetes }, () => [], OPEN_LIMITS, {
    log: running.options.log,
    file: running.options.file,
    ledger: running.ledger,
    onlyPlan: 'none',
  });
  await other.turns(1);
  expect(running.actions()).toMatchObject([{ state: 'deferred', code: 'unsent' }]);
  expect(isThere()).toBe(true);
  await running.turns(1);
  expect(running.actions()).toMatchObject([{ state: 'done', code: 'done' }]);
  expect(isThere()).toBe(false);
});

describe('of a claim on an object of Kubernetes', () => {
  let ip: Proposal;
  let ledger: Ledger;
  let file: StateFile;
  let requested: (string | undefined)[];
  let checks: number;
  beforeEach(async () => {
    ip = (await recordedProposals('leaky')).find(({ rule }) => rule === 'leaked-ip')!;
    ledger = new Ledger((file = openStateFile(':memory:')));
    requested = [];
    checks = 0;
  });
  afterEach(() => file.close());

  const work = (): ClusterWork => ({
    systems: { northbound, kubernetes },
    belonging: Object.assign(belongingOf(file, { northbound, kubernetes }), {
      check: async () => void (checks += 1),
    }),
    unproven: unprovenIn(ledger, () => undefined),
    ledger: new LedgerWriter({
      ledger,
      executor: 'this',
      identity: () => undefined,
      clock: () => new Date(now),
      onAction: () => undefined,
    }),
    doubtOf: () => undefined,
    prover: recordedProver({ northbound, kubernetes }),
    publish: async () => undefined,
    fence: async () => undefined,
    proofAgeMs: 60_000,
    holds: {
      now: async (_, exception) => void requested.push(exception),
      removal: async () => undefined,
    },
    controller: async () => undefined,
  });
  /** As an executor that died left it. */
  const claim = (code: 'claimed' | 'sending'): ActionRecord => {
    return work().ledger.write(itemOf(ip, 'enforce', undefined), {
      state: 'claimed',
      code,
      reason: 'the rule is enforced',
      undo: undoOf('a'),
    });
  };
  const written: string[] = [];
  beforeEach(() => {
    written.length = 0;
    kubernetes.between = ({ verb }, moment) => {
      if (moment === 'before' && ['patch', 'delete', 'evict', 'create'].includes(verb))
        written.push(verb);
    };
  });
  const takeAway = (): void => {
    const { kind, namespace, name } = ip.remedy.target;
    kubernetes.remove(kind, namespace, name);
  };

  test('that was not sent nothing is called off; there it is put off, and nothing is kept to undo', async () => {
    expect(await settle(claim('claimed'), work(), never)).toMatchObject({
      state: 'deferred',
      code: 'unsent',
      undo: null,
    });
    expect([written, requested, checks]).toEqual([[], [], 1]);
  });

  test('that was not sent, what is gone was removed by somebody else', async () => {
    takeAway();
    expect(await settle(claim('claimed'), work(), never)).toMatchObject({
      state: 'refused',
      code: 'gone',
    });
  });

  test('that may have been sent, it is called off first, unless a hold keeps that', async () => {
    expect(await settle(claim('sending'), work(), never)).toMatchObject({
      state: 'deferred',
      code: 'unsent',
    });
    expect([written, [...new Set(requested)], checks]).toEqual([['patch'], ['call-off'], 1]);
  });

  test('that may have been sent, what is gone is done', async () => {
    takeAway();
    expect(await settle(claim('sending'), work(), never)).toMatchObject({
      state: 'done',
      code: 'settled',
    });
  });

  test('but of a row whether it was sent is never known: what is gone is done', async () => {
    const row = work().ledger.write(itemOf(group, 'enforce', undefined), {
      state: 'claimed',
      code: 'claimed',
      reason: 'the rule is enforced',
      undo: undoOf('a'),
    });
    northbound.database.transact([
      operation.remove('Port_Group', operation.byUuid(group.subject.uid)),
    ]);
    expect(await settle(row, work(), never)).toMatchObject({ state: 'done', code: 'settled' });
    expect(written).toEqual([]);
  });
});
