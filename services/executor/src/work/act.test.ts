import { setTimeout as sleep } from 'node:timers/promises';
import type { Control } from '@ovn-steward/contracts/control/control';
import { Failure } from '@ovn-steward/shared/errors';
import { actionOf } from '../actions/registry';
import type { Proposal } from '../findings/proposal';
import { closeScenes, recordedProposals, OPEN_LIMITS, scene, type Scene } from '../testing/acting';
import { decision } from '../testing/controls';
import { finishesDeletions } from '../testing/finishes-deletions';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { contentOf } from '@ovn-steward/systems/testing/recorded-northbound';
import { absentOwner, putOwner } from '../testing/put-owner';
import { recordedSystems } from '../testing/recorded-systems';

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let proposals: Proposal[];

beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  finishesDeletions(kubernetes);
  proposals = await recordedProposals('leaky');
});

afterEach(closeScenes);

const acting = (executor: object = OPEN_LIMITS, more: Parameters<typeof scene>[3] = {}): Scene =>
  scene({ northbound, kubernetes }, () => proposals, executor, more);
const objects = (): string[] =>
  ['IP', 'Vip', 'Pod', 'OvnEip'].flatMap((kind) =>
    kubernetes.objects(kind).map((it) => JSON.stringify(it)),
  );
const only = (rule: string): Proposal =>
  (proposals = proposals.filter((it) => it.rule === rule).slice(0, 1))[0]!;
const missing = (before: ReturnType<typeof contentOf>): string[] => {
  const after = contentOf(northbound);
  return Object.entries(before)
    .flatMap(([table, rows]) =>
      Object.keys(rows)
        .filter((uuid) => !(uuid in (after[table] ?? {})))
        .map((uuid) => `${table} ${uuid}`),
    )
    .sort();
};
const removedBy = (running: Scene): string[] =>
  running
    .actions()
    .flatMap(({ state, undo }) =>
      state === 'done' && undo?.of === 'rows'
        ? undo.rows.map(({ table, uuid }) => `${table} ${uuid}`)
        : [],
    )
    .sort();

describe('a cluster that leaks, enforced', () => {
  test('all that is provable goes, each once, and nothing else', async () => {
    const before = contentOf(northbound);
    const running = acting();
    await running.turns(3);
    const ended = running.actions();
    expect(ended.filter(({ state }) => !['done', 'refused', 'proposed'].includes(state))).toEqual(
      [],
    );
    expect(
      ended
        .filter(({ state }) => state === 'refused')
        .map(({ code }) => code)
        .filter((code) => !['twin', 'untrue'].includes(code)),
    ).toEqual([]);
    expect(missing(before)).toEqual(removedBy(running));
    expect(missing(before).length).toBeGreaterThan(40);
    for (const { finding } of ended.filter(({ action }) => action === 'delete-ip'))
      expect(proposals.some((each) => each.id === finding.id)).toBe(true);
  });

  test('what was removed comes back byte by byte, the last first, and is not removed again', async () => {
    const before = contentOf(northbound);
    const running = acting();
    await running.turns(2);
    const rows = running
      .actions()
      .filter(({ state, target }) => state === 'done' && target.source === 'ovn-nb');
    expect(rows.length).toBeGreaterThan(20);
    await running.decide(
      ...rows.map(({ id }) =>
        decision({ type: 'undo', of: id, cluster: running.options.cluster } as Control),
      ),
    );
    await running.turns(1);
    expect(
      running
        .actions()
        .filter(({ id, state }) => state !== 'undone' && rows.some((each) => each.id === id))
        .map(({ code, reason }) => `${code} ${reason}`),
    ).toEqual([]);
    expect(contentOf(northbound)).toEqual(before);
    proposals = proposals.map((each) => ({ ...each, revision: each.revision + 2 }));
    await running.turns(1);
    expect(contentOf(northbound)).toEqual(before);
    expect(running.actions().filter(({ code }) => code === 'put-back').length).toBeGreaterThan(20);
  });
});

test.each([
  ['observe', { mode: 'observe' }, 'observed'],
  ['propose', { mode: 'propose' }, 'proposed'],
])(
  'in mode %s nothing is written, and every decision is in the ledger',
  async (_, executor, state) => {
    const before = contentOf(northbound);
    const then = objects();
    const running = acting(executor);
    await running.turns(2);
    expect(contentOf(northbound)).toEqual(before);
    expect(objects()).toEqual(then);
    expect(new Set(running.actions().map((each) => each.state))).toEqual(new Set([state]));
    expect(running.actions()).toHaveLength(proposals.length);
  },
);

test('while held nothing is done; resumed, it is', async () => {
  const running = acting();
  await running.decide(
    decision({
      type: 'hold',
      scope: {},
      reason: 'a change is under way',
      until: null,
      cluster: running.options.cluster,
    } as Control),
  );
  await running.turns(2);
  expect(new Set(running.actions().map(({ state, code }) => `${state} ${code}`))).toEqual(
    new Set(['deferred held']),
  );
  await running.decide(
    decision({ type: 'resume', scope: {}, cluster: running.options.cluster } as Control),
  );
  await running.turns(1);
  expect(running.actions().filter(({ state }) => state === 'done').length).toBeGreaterThan(20);
});

test.each([
  ['protect', 'unprotect', 'protected'],
  ['suppress', 'unsuppress', 'suppressed'],
])(
  'what people %s is left alone until they %s it, and nothing else is',
  async (begin, end, code) => {
    const running = acting();
    const about = { selector: { rule: 'leaked-ip' }, cluster: running.options.cluster };
    await running.decide(
      decision({ type: begin, ...about, reason: 'audited', until: null } as unknown as Control),
    );
    await running.turns(2);
    const of = (rule: string): readonly string[] =>
      running
        .actions()
        .filter((each) => each.rule === rule)
        .map((each) => `${each.state} ${each.code}`);
    expect(of('leaked-ip').length).toBeGreaterThan(0);
    expect(new Set(of('leaked-ip'))).toEqual(new Set([`deferred ${code}`]));
    expect(running.actions().filter(({ state }) => state === 'done').length).toBeGreaterThan(10);
    await running.decide(decision({ type: end, ...about } as unknown as Control));
    await running.turns(1);
    expect(of('leaked-ip')).toContain('done done');
  },
);

test('an API server that takes no Events keeps nobody from ending', async () => {
  only('leaked-ip');
  let reported = 0;
  const deaf = Object.assign(Object.create(kubernetes) as MemoryKubernetes, {
    writeEvent: () => new Promise<boolean>(() => void (reported += 1)),
  });
  const running = scene({ northbound, kubernetes: deaf }, () => proposals);
  await running.turns(1);
  expect(running.actions()).toMatchObject([{ state: 'done' }]);
  expect(reported).toBe(1);
});

test('over a ceiling nothing goes, and all of it is reported', async () => {
  const before = contentOf(northbound);
  const running = acting({
    ...OPEN_LIMITS,
    ceilings: { cluster: { least: 5, share: 0, most: 5 } },
  });
  await running.turns(2);
  expect(contentOf(northbound)).toEqual(before);
  expect(
    new Set(
      running
        .actions()
        .filter(({ state }) => state !== 'proposed')
        .map(({ code }) => code),
    ),
  ).toEqual(new Set(['ceiling']));
  expect(running.events.some((each) => each.type === 'aborted')).toBe(true);
});

test('a reply lost after the commit ends as done; a request lost is sent again', async () => {
  only('orphaned-port-group');
  let writes = 0;
  northbound.database.fault = () => (['lose-request', 'lose-reply'] as const)[writes++];
  const running = acting();
  await running.turns(1);
  expect(running.actions()).toMatchObject([{ state: 'done', code: 'settled' }]);
  expect(writes).toBe(2);
});

test('what is never answered and never happens fails, and is still there', async () => {
  const { subject } = only('orphaned-port-group');
  northbound.database.fault = () => 'lose-request';
  const running = acting();
  await running.turns(1);
  expect(running.actions()).toMatchObject([{ state: 'failed', code: 'no-answer' }]);
  expect(northbound.database.rows('Port_Group').has(subject.uid)).toBe(true);
});

test.each(['before', 'after'] as const)(
  'a process that dies %s the effect leaves a claim, which the next one settles by looking',
  async (moment) => {
    const { subject } = only('orphaned-port-group');
    let dies = true;
    const died = new Failure('log-partition-lost', 'killed');
    const running = acting(OPEN_LIMITS, {
      fence: () => (dies && moment === 'before' ? Promise.reject(died) : Promise.resolve()),
    });
    if (moment === 'after') {
      const observe = northbound.read;
      northbound.read = (...given) =>
        dies && !northbound.database.rows('Port_Group').has(subject.uid)
          ? Promise.reject(died)
          : observe(...given);
    }
    await expect(running.turns(1)).rejects.toBe(died);
    expect(running.ledger.open(running.options.cluster)).toHaveLength(1);
    dies = false;
    await running.turns(1);
    expect(running.actions()).toMatchObject([
      { state: 'done', code: moment === 'before' ? 'done' : 'settled' },
    ]);
    expect(northbound.database.rows('Port_Group').has(subject.uid)).toBe(false);
  },
);

test('a claim whose finding fell meanwhile is given up, and nothing is removed', async () => {
  const { subject } = only('orphaned-port-group');
  let dies = true;
  const running = acting(OPEN_LIMITS, {
    fence: () =>
      dies ? Promise.reject(new Failure('log-partition-lost', 'killed')) : Promise.resolve(),
  });
  await expect(running.turns(1)).rejects.toThrow('killed');
  dies = false;
  proposals = [];
  await running.turns(1);
  expect(running.actions()).toMatchObject([{ state: 'deferred', code: 'unsent' }]);
  expect(northbound.database.rows('Port_Group').has(subject.uid)).toBe(true);
});

test('an owner who comes between the last check and the commit gets it back at once', async () => {
  const before = contentOf(northbound);
  const running = acting();
  const finding =
    only('orphaned-dhcp-options') ??
    (proposals = await recordedProposals('leaky')).find(
      (each) => each.rule === 'orphaned-port-group' && absentOwner(each) !== undefined,
    );
  proposals = [finding!];
  northbound.database.fault = () => void putOwner(kubernetes, finding!) as undefined;
  await running.turns(1);
  expect(running.actions()).toMatchObject([{ state: 'undone', code: 'raced' }]);
  expect(contentOf(northbound)).toEqual(before);
});

test('an owner who comes before the last check: refused, nothing was sent', async () => {
  const finding = proposals.find(
    (each) => each.rule === 'orphaned-port-group' && absentOwner(each) !== undefined,
  )!;
  proposals = [finding];
  const [owner] = finding.proof.flatMap((fact) =>
    fact.fact === 'absent' && fact.source === 'kubernetes' ? [fact] : [],
  );
  const slash = owner!.key.indexOf('/');
  const running = acting(OPEN_LIMITS, {
    onEvent: (event) => {
      if (event.type === 'action' && event.action.state === 'claimed')
        kubernetes.put({
          kind: owner!.kind,
          metadata: {
            name: owner!.key.slice(slash + 1),
            ...(slash < 0 ? {} : { namespace: owner!.key.slice(0, slash) }),
          },
        } as Parameters<typeof kubernetes.put>[0]);
    },
  });
  let writes = 0;
  northbound.database.fault = () => void (writes += 1) as undefined;
  await running.turns(1);
  expect(running.actions()).toMatchObject([{ state: 'refused', code: 'changed' }]);
  expect(writes).toBe(0);
});

test('what cannot be asked at the last check is deferred, and goes when it can', async () => {
  const finding = proposals.find(
    (each) => each.rule === 'orphaned-port-group' && absentOwner(each) !== undefined,
  )!;
  proposals = [finding];
  const running = acting(OPEN_LIMITS, {
    onEvent: (event) => {
      if (event.type === 'action' && event.action.state === 'claimed') kubernetes.fault = away;
    },
  });
  let away: typeof kubernetes.fault = () => new Failure('source-unreachable', 'nobody answers');
  await running.turns(1);
  expect(running.actions()).toMatchObject([{ state: 'deferred', code: 'unknown', undo: null }]);
  expect(northbound.database.rows('Port_Group').has(finding.subject.uid)).toBe(true);
  kubernetes.fault = away = undefined;
  await running.turns(1);
  expect(running.actions()).toMatchObject([{ state: 'done' }]);
});

test('a proof that grew old while the log was asked whose the cluster is, is not acted on', async () => {
  const { subject } = only('orphaned-port-group');
  let writes = 0;
  northbound.database.fault = () => void (writes += 1) as undefined;
  const running = acting({ ...OPEN_LIMITS, proofAge: '200ms' }, { fence: () => sleep(250) });
  await running.turns(1);
  expect(running.actions()).toMatchObject([{ state: 'deferred', code: 'slow' }]);
  expect(northbound.database.rows('Port_Group').has(subject.uid)).toBe(true);
  expect(writes).toBe(0);
});

test('a finding that lies comes to nothing, whatever it invents', async () => {
  const before = contentOf(northbound);
  const alive = [...northbound.database.rows('Logical_Switch_Port')].map(([uid, row]) => ({
    source: 'ovn-nb' as const,
    kind: 'Logical_Switch_Port',
    name: String(row['name']),
    uid,
  }));
  const template = proposals.find((each) => each.rule === 'orphaned-port-group')!;
  proposals = alive.map((subject) => ({
    ...template,
    rule: 'orphaned-logical-switch-port',
    subject,
    id: `lie about ${subject.uid}`,
    proof: [{ fact: 'absent' as const, source: 'kubernetes', kind: 'Pod', key: 'no/body' }],
    remedy: { action: 'delete-logical-switch-port', target: subject, advice: 'trust me' },
  }));
  const running = acting();
  // A turn ends where decisions were last read 3 s ago, as on a machine that stalls.
  for (let n = 0; n < 10 && running.actions().length < alive.length; n += 1) await running.turns(1);
  expect(running.actions()).toHaveLength(alive.length);
  expect(running.actions().filter(({ state }) => state === 'done')).toEqual([]);
  expect(contentOf(northbound)).toEqual(before);
});

test('what must be kept is kept when half of Kubernetes cannot be read', async () => {
  const before = contentOf(northbound);
  kubernetes.fault = (call) =>
    /^(get|list|serves)$/.test(call.verb) && call.kind !== 'Lease'
      ? new Failure('source-forbidden', `${call.kind} may not be read`)
      : undefined;
  const running = acting();
  await running.turns(1);
  expect(contentOf(northbound)).toEqual(before);
  // What wants a person waits for one before anything is asked.
  expect(
    new Set(
      running
        .actions()
        .map(
          ({ action, state }) =>
            `${state}${actionOf(action)!.onlyApproved ? ', wants a person' : ''}`,
        ),
    ),
  ).toEqual(new Set(['deferred', 'proposed, wants a person']));
});

test('another executor that took over refuses this one every write', async () => {
  only('orphaned-port-group');
  const before = contentOf(northbound);
  const running = acting(OPEN_LIMITS, {
    fence: () => northbound.peer().takeOver(new AbortController().signal),
  });
  await expect(running.turns(1)).rejects.toMatchObject({ code: 'fenced' });
  expect(contentOf(northbound)).toEqual(before);
});

test('an owner who comes while a process dies gets it back by the next', async () => {
  const before = contentOf(northbound);
  const finding = proposals.find(
    (each) => each.rule === 'orphaned-port-group' && absentOwner(each) !== undefined,
  )!;
  proposals = [finding];
  const [owner] = finding.proof.flatMap((fact) =>
    fact.fact === 'absent' && fact.source === 'kubernetes' ? [fact] : [],
  );
  const slash = owner!.key.indexOf('/');
  const died = new Failure('log-partition-lost', 'killed');
  const observe = northbound.read;
  let dies = true;
  northbound.read = (...given) =>
    dies && !northbound.database.rows('Port_Group').has(finding.subject.uid)
      ? Promise.reject(died)
      : observe(...given);
  const running = acting();
  await expect(running.turns(1)).rejects.toBe(died);
  dies = false;
  kubernetes.put({
    kind: owner!.kind,
    metadata: {
      name: owner!.key.slice(slash + 1),
      ...(slash < 0 ? {} : { namespace: owner!.key.slice(0, slash) }),
    },
  } as Parameters<typeof kubernetes.put>[0]);
  await running.turns(1);
  expect(running.actions()).toMatchObject([{ state: 'undone', code: 'raced' }]);
  expect(contentOf(northbound)).toEqual(before);
});

test('a row that changes between what the guards hold it to and its proof is kept', async () => {
  const { subject } = only('orphaned-port-group');
  const read = northbound.read;
  let reads = 0;
  const group = (): Record<string, unknown> =>
    northbound.database.rows('Port_Group').get(subject.uid)! as Record<string, unknown>;
  const before = JSON.stringify(group()['acls']);
  northbound.read = async (operations, signal) => {
    const answer = await read(operations, signal);
    // What the guards hold it to is read first, by the row's uuid; the proof, to which a group's
    // ACLs are no part of the group, comes behind it.
    if (
      operations.some(
        (operation) =>
          operation.op === 'select' &&
          operation.table === 'Port_Group' &&
          JSON.stringify(operation.where).includes(subject.uid),
      ) &&
      ++reads === 1
    )
      northbound.database.transact([
        {
          op: 'update',
          table: 'Port_Group',
          where: [['_uuid', '==', ['uuid', subject.uid]]],
          row: { acls: ['set', []] },
        },
      ]);
    return answer;
  };
  const running = acting();
  await running.turns(1);
  expect(JSON.stringify(group()['acls'])).not.toBe(before);
  expect(running.actions().filter(({ state }) => state === 'done')).toEqual([]);
});
