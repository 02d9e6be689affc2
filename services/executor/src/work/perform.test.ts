import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { Proposal } from '../findings/proposal';
import type { ProofDoubt } from '../prove/recheck';
import { type StateFile, openStateFile } from '@ovn-steward/shared/log/state-file';
import { Ledger } from '../ledger/ledger';
import { recordedProposals } from '../testing/acting';
import { undoOf } from '../testing/actions';
import { belongingOf } from '../testing/identities';
import type { WriteFault } from '@ovn-steward/ovsdb/testing/memory-database';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { LedgerWriter } from './ledger-writer';
import { itemOf } from '../gate/item';
import { perform, performProven } from './perform';
import { proveAndPrepare, type Ready } from './prove-and-prepare';
import type { Effect } from '@ovn-steward/systems/effect';
import { unprovenIn } from './unproven';
import type { ClusterWork } from './work';
import type { Proof } from '../prove/prove-in-rounds';
import { recordedProver } from '../testing/recorded-prover';

const never = new AbortController().signal;
const died = new Failure('log-partition-lost', 'killed');

let findings: readonly Proposal[];
beforeAll(async () => {
  findings = await recordedProposals('leaky');
});

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let file: StateFile;
let ledger: Ledger;
let finding: Proposal;
let sent: number;
beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  await northbound.takeOver(never);
  file = openStateFile(':memory:');
  ledger = new Ledger(file);
  finding = findings.find(
    (it) => it.rule === 'orphaned-port-group' && it.proof.some((fact) => fact.fact === 'absent'),
  )!;
  sent = 0;
  onWrite(() => undefined);
});
afterEach(() => file.close());

/** What happens when a write arrives. */
function onWrite(fault: () => WriteFault): void {
  northbound.database.fault = () => {
    sent += 1;
    return fault();
  };
}

const proverIn = (systems: ClusterWork['systems']): ClusterWork['prover'] =>
  recordedProver(systems);

const work = (more: Partial<ClusterWork> = {}): ClusterWork => ({
  systems: { northbound, kubernetes },
  belonging: belongingOf(file, { northbound, kubernetes }),
  unproven: unprovenIn(ledger, () => undefined),
  ledger: new LedgerWriter({
    ledger,
    executor: 'this',
    identity: () => undefined,
    clock: () => new Date(),
    onAction: () => undefined,
  }),
  prover: proverIn({ northbound, kubernetes }),
  publish: () => Promise.resolve(),
  fence: () => Promise.resolve(),
  proofAgeMs: 60_000,
  holds: { now: async () => undefined, removal: async () => undefined },
  doubtOf: () => undefined,
  controller: async () => undefined,
  ...more,
});
const item = (
  more: Partial<Proposal> = {},
  planned?: { readonly id: string; readonly version: string },
) => itemOf({ ...finding, ...more }, 'enforce', undefined, planned);
const finishedByKubeOvn = () => {
  const plain = item();
  return { ...plain, action: { ...plain.action!, finishedBy: 'kube-ovn' as const } };
};
const isThere = (): boolean => northbound.database.rows('Port_Group').has(finding.subject.uid);
/** As another writer. */
const takeAway = (): void =>
  void expect(
    northbound.database.transact([
      operation.remove('Port_Group', operation.byUuid(finding.subject.uid)),
    ]),
  ).toMatchObject({ ok: true });
/** What a process left that claimed it and died. */
const claimed = async (cluster: ClusterWork): Promise<void> => {
  await expect(
    perform(item(), { ...cluster, fence: () => Promise.reject(died) }, never),
  ).rejects.toBe(died);
  expect(ledger.open(RECORDED_CLUSTER)).toHaveLength(1);
};

test('what is proven, prepared and claimed is removed, and can be put back', async () => {
  expect(await perform(item(), work(), never)).toMatchObject({
    state: 'done',
    code: 'done',
    undo: { of: 'rows' },
  });
  expect({ sent, isThere: isThere() }).toEqual({ sent: 1, isThere: false });
});

test('a ledger of nobody is not bound to those who answer after the proof', async () => {
  let answers = 'kube-a';
  const systems = {
    northbound,
    kubernetes: Object.assign(Object.create(kubernetes) as MemoryKubernetes, {
      identity: async () => answers,
    }),
  };
  const belonging = belongingOf(file, systems);
  const prover = proverIn(systems);
  const of = (one: string): ClusterWork['prover'] => ({
    ...prover,
    prove: async (...given) => {
      answers = one;
      const proof = await proverIn(systems).prove(...given);
      answers = 'kube-b';
      return proof;
    },
  });
  expect(await perform(item(), work({ belonging, prover: of('kube-a') }), never)).toMatchObject({
    state: 'deferred',
    code: 'other-cluster',
  });
  expect({ sent, isThere: isThere(), named: belonging.named() }).toEqual({
    sent: 0,
    isThere: true,
    named: undefined,
  });
  const done = await perform(item(), work({ belonging, prover: of('kube-b') }), never);
  expect([done.state, belonging.named()?.kubernetes]).toEqual(['done', 'kube-b']);
});

describe('nothing is sent of', () => {
  test.each<[string, () => ReturnType<typeof item>, object]>([
    [
      'what a plan was not made of',
      () => item({}, { id: 'planned', version: 'another version' }),
      { state: 'deferred', code: 'plan-stale' },
    ],
    [
      'what this version has no action for',
      () => item({ remedy: { ...finding.remedy, action: 'delete-tomorrow' } }),
      { state: 'deferred', code: 'unsupported' },
    ],
    [
      'what lies in another VPC than was asked for',
      () => item({ scope: { vpc: 'another' } }),
      { state: 'deferred', code: 'scope', reason: expect.stringContaining('lies in VPC another') },
    ],
    [
      'what lies in another subnet than was asked for',
      () => item({ scope: { subnet: 'another' } }),
      {
        state: 'deferred',
        code: 'scope',
        reason: expect.stringContaining('lies in subnet another'),
      },
    ],
  ])('%s', async (_, given, record) => {
    expect(await perform(given(), work(), never)).toMatchObject({ ...record, undo: null });
    expect({ sent, isThere: isThere() }).toEqual({ sent: 0, isThere: true });
  });

  test('what ended, whatever is true of it now', async () => {
    const cluster = work();
    const ended = cluster.ledger.write(item(), {
      state: 'refused',
      code: 'untrue',
      reason: 'it was not so',
    });
    expect(await perform(item(), cluster, never)).toEqual(ended);
    expect(sent).toBe(0);
  });

  test.each(['done', 'claimed'] as const)('a twin of what is %s', async (state) => {
    const cluster = work();
    const { kind: table, uid: uuid, name } = finding.subject;
    const undo = { of: 'rows' as const, rows: [{ table, uuid, name, columns: {} }], links: [] };
    const first = cluster.ledger.write(item({ revision: finding.revision + 1 }), {
      state: 'claimed',
      code: 'claimed',
      reason: 'the rule is enforced',
      undo,
    });
    if (state === 'done')
      cluster.ledger.write(item({ revision: finding.revision + 1 }), {
        state,
        code: 'done',
        reason: 'it was removed',
      });
    expect(await perform(item(), cluster, never)).toMatchObject({
      state: 'refused',
      code: 'twin',
      reason: expect.stringContaining(first.id),
    });
    expect(sent).toBe(0);
  });

  test('what another action has removed and is gone: it is its twin', async () => {
    const cluster = work();
    const entry = { code: 'claimed', reason: 'the rule is enforced', undo: undoOf('a') } as const;
    const first = cluster.ledger.write(item(), { ...entry, state: 'claimed' });
    cluster.ledger.goOn(first, { state: 'done', code: 'done', reason: 'it was removed' });
    takeAway();
    const later = { revision: finding.revision + 1, firstSeen: '2099-01-01T00:00:00Z' };
    expect(await perform(item(later), cluster, never)).toMatchObject({
      state: 'refused',
      code: 'twin',
      reason: expect.stringContaining(first.id),
    });
    expect(sent).toBe(0);
  });

  test('what was gone before', async () => {
    takeAway();
    expect(await perform(item(), work(), never)).toMatchObject({
      state: 'refused',
      code: 'gone',
      undo: null,
    });
    expect(sent).toBe(0);
  });

  test('what cannot be read; it is put off, and was never claimed', async () => {
    northbound.read = () => Promise.reject(new Failure('source-unreachable', 'nobody answers'));
    expect(await perform(item(), work(), never)).toMatchObject({
      state: 'deferred',
      code: 'source-unreachable',
      undo: null,
    });
    expect(sent).toBe(0);
  });

  test('what was proven too long ago each time; it is put off', async () => {
    let tried = 0;
    const fence = (): Promise<void> => Promise.resolve(void (tried += 1));
    expect(await perform(item(), work({ fence, proofAgeMs: -1 }), never)).toMatchObject({
      state: 'deferred',
      code: 'slow',
    });
    expect({ sent, isThere: isThere(), tried }).toEqual({ sent: 0, isThere: true, tried: 3 });
  });

  test.each<[string, Proof]>([
    ['is not known', { is: 'unknown', reason: 'a list is not complete' }],
    ['is of another cluster', { is: 'mispaired', reason: 'the MAC addresses differ' }],
  ])('what %s; it may pass', async (_, proof) => {
    const prover = { ...proverIn({ northbound, kubernetes }), prove: async () => proof };
    expect(await perform(item(), work({ prover }), never)).toMatchObject({
      state: 'deferred',
      code: proof.is,
      undo: null,
    });
    expect({ sent, isThere: isThere() }).toEqual({ sent: 0, isThere: true });
  });

  test.each<[string, string, ProofDoubt]>([
    ['cannot be known any more', 'deferred', { is: 'unknown', reason: 'no answer' }],
    ['has changed by now', 'refused', { is: 'changed', reason: 'a pod is there' }],
  ])('what %s when it is checked last: it is %s', async (_, state, doubt) => {
    const prover = { ...proverIn({ northbound, kubernetes }), recheck: async () => doubt };
    expect(await perform(item(), work({ prover }), never)).toMatchObject({
      state,
      code: doubt.is,
      reason: `${doubt.reason}; nothing was removed`,
    });
    expect({ sent, isThere: isThere() }).toEqual({ sent: 0, isThere: true });
  });

  test('what nobody can say is not on hold', async () => {
    const unread = (): Promise<never> =>
      Promise.reject(new Failure('source-unreachable', 'Holds cannot be read.'));
    expect(
      await perform(item(), work({ holds: { now: unread, removal: unread } }), never),
    ).toMatchObject({
      state: 'deferred',
      code: 'source-unreachable',
      reason: 'Holds cannot be read. Nothing was removed.',
    });
    expect({ sent, isThere: isThere() }).toEqual({ sent: 0, isThere: true });
  });

  test('what Kube-OVN has to finish, while its controller is not at work', async () => {
    const given = finishedByKubeOvn();
    const controller = async (): Promise<string> => 'its Lease was last renewed an hour ago';
    expect(await perform(given, work({ controller }), never)).toMatchObject({
      state: 'deferred',
      code: 'no-controller',
      undo: null,
    });
    expect({ sent, isThere: isThere() }).toEqual({ sent: 0, isThere: true });
    expect(
      await perform(item({ revision: finding.revision + 1 }), work({ controller }), never),
    ).toMatchObject({
      state: 'done',
    });
  });

  test('a controller whose Lease takes long to be seen renewed makes no proof old', async () => {
    const given = finishedByKubeOvn();
    const proofAgeMs = 2000;
    let controllers = 0;
    let proofs = 0;
    const slow = work({
      proofAgeMs,
      controller: async () => {
        controllers += 1;
        if (controllers === 1) await sleep(proofAgeMs + 100);
        return undefined;
      },
    });
    const { prove } = slow.prover;
    const counted: ClusterWork['prover'] = {
      ...slow.prover,
      prove: (...requested) => {
        proofs += 1;
        return prove(...requested);
      },
    };
    expect(await perform(given, { ...slow, prover: counted }, never)).toMatchObject({
      state: 'done',
    });
    expect({ controllers, proofs }).toEqual({ controllers: 2, proofs: 1 });
  });

  test('what cannot be claimed since nobody says who answers: nothing is recorded of it', async () => {
    const failed = new Failure('source-unreachable', 'nobody answers');
    const belonging = belongingOf(file, { northbound, kubernetes });
    belonging.claim = () => Promise.reject(failed);
    await expect(perform(item(), work({ belonging }), never)).rejects.toBe(failed);
    expect(ledger.get(item().id)).toBeUndefined();
    expect({ sent, isThere: isThere() }).toEqual({ sent: 0, isThere: true });
  });

  test("a cluster that is another's by now; the claim stays open", async () => {
    await claimed(work());
    expect({ sent, isThere: isThere() }).toEqual({ sent: 0, isThere: true });
  });
});

test('a refused item has no twin: it is done', async () => {
  const cluster = work();
  cluster.ledger.write(item({ revision: finding.revision + 1 }), {
    state: 'refused',
    code: 'untrue',
    reason: 'it was not so',
  });
  expect(await perform(item(), cluster, never)).toMatchObject({ state: 'done' });
});

describe('without an answer', () => {
  test.each<[string, readonly WriteFault[], object, number, boolean]>([
    ['and gone: settled', ['lose-reply'], { state: 'done', code: 'settled' }, 1, false],
    [
      'and still there: sent again',
      ['lose-request', undefined],
      { state: 'done', code: 'done' },
      2,
      false,
    ],
    [
      'twice, the second time gone',
      ['lose-request', 'lose-reply'],
      { state: 'done', code: 'settled' },
      2,
      false,
    ],
    [
      'each time, and still there: failed',
      ['lose-request', 'lose-request', 'lose-request'],
      { state: 'failed', code: 'no-answer' },
      3,
      true,
    ],
  ])('%s', async (_, faults, record, times, there) => {
    onWrite(() => faults[sent - 1]);
    expect(await perform(item(), work(), never)).toMatchObject(record);
    expect({ sent, isThere: isThere() }).toEqual({ sent: times, isThere: there });
  });
});

describe('refused by its guards since somebody', () => {
  test('changed it: it is kept', async () => {
    onWrite(() => {
      northbound.database.transact([
        operation.mutate('Port_Group', operation.byUuid(finding.subject.uid), [
          ['external_ids', 'insert', operation.map([['a', 'b']])],
        ]),
      ]);
      return undefined;
    });
    expect(await perform(item(), work(), never)).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('nothing was removed'),
    });
    expect({ sent, isThere: isThere() }).toEqual({ sent: 1, isThere: true });
  });

  test.each([
    ['nb:1', { state: 'refused', code: 'gone' }],
    ['cid:1', { state: 'done', code: 'settled' }],
  ])('removed it, on database %s', async (identity, record) => {
    northbound.identity = () => Promise.resolve(identity);
    onWrite(() => {
      takeAway();
      return undefined;
    });
    expect(await perform(item(), work(), never)).toMatchObject(record);
  });
});

describe('a claim of a process that died, whose target is gone', () => {
  test('ends as done, for it may have been sent', async () => {
    await claimed(work());
    takeAway();
    expect(await perform(item(), work(), never)).toMatchObject({ state: 'done', code: 'settled' });
  });

  test.each(['read', 'schema'] as const)(
    'stays open while the database does not say its %s',
    async (what) => {
      await claimed(work());
      Object.assign(northbound, {
        [what]: () => Promise.reject(new Failure('source-unreachable', 'nobody answers')),
      });
      await expect(perform(item(), work(), never)).rejects.toMatchObject({
        code: 'source-unreachable',
      });
      expect(ledger.open(RECORDED_CLUSTER)).toHaveLength(1);
    },
  );
});

describe('before anything is sent', () => {
  /** The states that the log was to acknowledge, and the requests that arrived, in their order. */
  function ordered(id: () => string): { readonly order: string[]; readonly cluster: ClusterWork } {
    const order: string[] = [];
    const publish = (): Promise<void> => {
      const record = ledger.get(id());
      order.push(`acknowledged ${record?.state}/${record?.code}`);
      return Promise.resolve();
    };
    return { order, cluster: work({ publish }) };
  }

  test('of a row, its claim with what undoes it is acknowledged by the log', async () => {
    const { order, cluster } = ordered(() => item().id);
    onWrite(() => {
      order.push(`sent with ${ledger.get(item().id)?.undo ? 'an undo' : 'no undo'}`);
      return undefined;
    });
    await perform(item(), cluster, never);
    expect(order.slice(0, 2)).toEqual(['acknowledged claimed/claimed', 'sent with an undo']);
  });

  test('of a deletion of an object, that it is begun is acknowledged, too', async () => {
    finding = findings.find(({ rule }) => rule === 'leaked-ip')!;
    const { order, cluster } = ordered(() => item().id);
    kubernetes.between = ({ verb }, moment) => {
      if (verb === 'delete' && moment === 'before') order.push('sent');
    };
    await perform(item(), cluster, never);
    expect(order.slice(0, 3)).toEqual([
      'acknowledged claimed/claimed',
      'acknowledged claimed/sending',
      'sent',
    ]);
  });

  test('nothing is, where the log does not acknowledge the claim', async () => {
    const publish = (): Promise<void> => Promise.reject(died);
    await expect(perform(item(), work({ publish }), never)).rejects.toBe(died);
    expect({ sent, isThere: isThere() }).toEqual({ sent: 0, isThere: true });
  });
});

describe('a proof that was made before its turn', () => {
  const ahead = async (): Promise<Ready> => {
    const ready = await proveAndPrepare(item(), work(), false, never);
    if ('state' in ready) throw new Error(ready.reason);
    return ready;
  };
  const proving = (): { work: ClusterWork; proofs: () => number } => {
    let proofs = 0;
    const prover = proverIn({ northbound, kubernetes });
    const prove: typeof prover.prove = (...given) => {
      proofs += 1;
      return prover.prove(...given);
    };
    return { work: work({ prover: { ...prover, prove } }), proofs: () => proofs };
  };
  const performAhead = async (cluster: ClusterWork, ready: Ready): Promise<ActionRecord> => {
    const became = await performProven(item(), ready, cluster, never);
    return typeof became === 'object' ? became : perform(item(), cluster, never, became);
  };

  test('is acted on while all is as it was', async () => {
    const ready = await ahead();
    const counted = proving();
    expect(await performAhead(counted.work, ready)).toMatchObject({ state: 'done' });
    expect({ sent, proofs: counted.proofs(), isThere: isThere() }).toEqual({
      sent: 1,
      proofs: 0,
      isThere: false,
    });
  });

  test('is recreated where a guard does not hold any more', async () => {
    const ready = await ahead();
    const counted = proving();
    const stale: Ready = {
      ...ready,
      prepared: {
        ...ready.prepared,
        effect: {
          on: 'ovn-nb',
          operations: [
            operation.wait('Port_Group', operation.byUuid(finding.subject.uid), ['name'], []),
            ...(ready.prepared.effect as Effect & { on: 'ovn-nb' }).operations,
          ],
        },
      },
    };
    expect(await performAhead(counted.work, stale)).toMatchObject({ state: 'done' });
    expect({ sent, proofs: counted.proofs(), isThere: isThere() }).toEqual({
      sent: 2,
      proofs: 1,
      isThere: false,
    });
  });

  test('is recreated where the last check finds something else, and then counts', async () => {
    const ready = await ahead();
    const counted = proving();
    let checks = 0;
    const recheck = async (): Promise<ProofDoubt> => {
      checks += 1;
      return { is: 'changed', reason: 'a pod is there' };
    };
    const doubting = { ...counted.work, prover: { ...counted.work.prover, recheck } };
    expect(await performAhead(doubting, ready)).toMatchObject({
      state: 'refused',
      code: 'changed',
    });
    expect({ sent, checks, proofs: counted.proofs(), isThere: isThere() }).toEqual({
      sent: 0,
      checks: 2,
      proofs: 1,
      isThere: true,
    });
  });

  test('is left aside where it was claimed before: its own proof is made', async () => {
    const ready = await ahead();
    const counted = proving();
    await claimed(counted.work);
    const before = counted.proofs();
    expect(await performAhead(counted.work, ready)).toMatchObject({ state: 'done' });
    expect({ sent, proofs: counted.proofs() - before }).toEqual({ sent: 1, proofs: 1 });
  });

  test('that was sent without an answer is remembered: what is gone then counts as its own deed', async () => {
    const ready = await ahead();
    const counted = proving();
    let isThereStill = true;
    onWrite(() => (isThereStill ? 'lose-request' : undefined));
    const prove: typeof counted.work.prover.prove = async (...given) => {
      isThereStill = false;
      takeAway();
      return counted.work.prover.prove(...given);
    };
    const removed = { ...counted.work, prover: { ...counted.work.prover, prove } };
    expect(await performAhead(removed, ready)).toMatchObject({
      state: 'done',
      code: 'settled',
    });
  });
});
