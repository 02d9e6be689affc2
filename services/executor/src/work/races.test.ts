import type { Control } from '@ovn-steward/contracts/control/control';
import { Failure } from '@ovn-steward/shared/errors';
import { operation as op } from '@ovn-steward/ovsdb';
import type { Proposal } from '../findings/proposal';
import { closeScenes, OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision } from '../testing/controls';
import { finishesDeletions } from '../testing/finishes-deletions';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { putOwner } from '../testing/put-owner';
import { recordedSystems } from '../testing/recorded-systems';

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let proposals: Proposal[];

beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  proposals = await recordedProposals('leaky');
});

afterEach(closeScenes);

const DIED = new Failure('log-partition-lost', 'killed');
const acting = (more: Parameters<typeof scene>[3] = {}): Scene =>
  scene({ northbound, kubernetes }, () => proposals, OPEN_LIMITS, more);
const only = (is: (it: Proposal) => boolean): Proposal =>
  (proposals = proposals.filter(is).slice(0, 1))[0]!;
const decide = (executor: Scene, said: object): Promise<void> =>
  executor.decide(decision({ cluster: executor.options.cluster, ...said } as Control));
const ports = (name: string): readonly string[] =>
  [...northbound.database.rows('Logical_Switch_Port')].flatMap(([uuid, row]) =>
    row['name'] === name ? [uuid] : [],
  );
const leakedWithPort = (): Proposal =>
  only(
    (it) =>
      it.rule === 'leaked-ip' && it.subject.kind === 'IP' && ports(it.subject.name).length === 1,
  );
const setUp = (name: string): void =>
  void northbound.database.transact([
    op.update('Logical_Switch_Port', op.byUuid(ports(name)[0]!), { up: true }),
  ]);

describe('an address whose port goes up', () => {
  test('before the request: it is not sent', async () => {
    const { subject } = leakedWithPort();
    const executor = acting({
      onEvent: (event) =>
        void (event.type === 'action' && event.action.code === 'claimed' && setUp(subject.name)),
    });
    await executor.turns(1);
    expect(executor.actions()).toMatchObject([
      {
        state: 'refused',
        code: 'changed',
        reason: expect.stringContaining(
          `Logical_Switch_Port ${subject.name} says something else than a moment ago`,
        ),
      },
    ]);
    expect(kubernetes.objects('IP').some((each) => each.metadata.uid === subject.uid)).toBe(true);
  });

  test.each<[string, boolean]>([
    ['with the request: it is put back when it is gone', false],
    ['with the request, and the process dies: the next puts it back', true],
  ])('%s', async (_, dies) => {
    const { subject } = leakedWithPort();
    let alive = !dies;
    kubernetes.fault = (call) => {
      if (call.verb === 'delete') setUp(subject.name);
      return call.verb === 'get' &&
        call.kind === 'IP' &&
        !alive &&
        kubernetes.objects('IP').find((each) => each.metadata.uid === subject.uid)?.metadata
          .deletionTimestamp !== undefined
        ? DIED
        : undefined;
    };
    const executor = acting();
    if (dies) await expect(executor.turns(1)).rejects.toBe(DIED);
    alive = true;
    await executor.turns(1);
    expect(executor.actions()).toMatchObject([{ state: 'terminating', code: 'racing' }]);
    kubernetes.remove('IP', undefined, subject.name);
    await executor.turns(1);
    expect(executor.actions()[0]).toMatchObject({ state: 'undone', code: 'raced' });
    expect(executor.actions()[0]).not.toHaveProperty('foundations');
    expect(kubernetes.objects('IP').map((each) => each.metadata.name)).toContain(subject.name);
  });

  test('or that is taken away by the controller, as it should be: done', async () => {
    const { subject } = leakedWithPort();
    const holder = [...northbound.database.rows('Logical_Switch')].find(([, row]) =>
      JSON.stringify(row['ports']).includes(ports(subject.name)[0]!),
    )![0];
    kubernetes.fault = (call) => {
      if (call.verb === 'delete')
        northbound.database.transact([
          op.mutate('Logical_Switch', op.byUuid(holder), [
            ['ports', 'delete', op.uuid(ports(subject.name)[0]!)],
          ]),
        ]);
      return undefined;
    };
    finishesDeletions(kubernetes);
    const executor = acting();
    await executor.turns(1);
    expect(ports(subject.name)).toEqual([]);
    expect(executor.actions()).toMatchObject([{ state: 'done', code: 'done' }]);
  });
});

test('a Service that comes while a process dies gets its entry back by the next', async () => {
  const finding = only((it) => it.rule === 'stale-load-balancer-vip');
  const { uid, part } = finding.remedy.target;
  const vips = (): string =>
    JSON.stringify(northbound.database.rows('Load_Balancer').get(uid)!['vips']);
  const before = vips();
  const read = northbound.read;
  let dies = true;
  northbound.read = (...given) =>
    dies && vips() !== before ? Promise.reject(DIED) : read(...given);
  const executor = acting();
  await expect(executor.turns(1)).rejects.toBe(DIED);
  dies = false;
  const [ip, port] = part!.key.split(':') as [string, string];
  kubernetes.put({
    kind: 'Service',
    metadata: { namespace: 'shop', name: 'back' },
    spec: { clusterIP: ip, clusterIPs: [ip], ports: [{ port: Number(port), protocol: 'TCP' }] },
  });
  await executor.turns(1);
  expect(executor.actions()).toMatchObject([{ state: 'undone', code: 'raced' }]);
  expect(JSON.parse(vips())[1]).toEqual(expect.arrayContaining(JSON.parse(before)[1]));
});

test.each<[string, string, string, string | undefined]>([
  ['a row whose table', 'orphaned-port-group', 'Port_Group', undefined],
  ['an entry whose table', 'stale-load-balancer-vip', 'Load_Balancer', undefined],
  ['an entry of a row whose name', 'stale-load-balancer-vip', 'Load_Balancer', 'name'],
])(
  '%s the server does not show any more is put back for its owner when it does again',
  async (_, rule, table, column) => {
    const finding = only((it) => it.rule === rule);
    const { uid, part } = finding.remedy.target;
    const isThere = (): boolean => {
      const row = northbound.database.rows(table).get(uid);
      return row !== undefined && (!part || JSON.stringify(row[part.column]).includes(part.key));
    };
    const { read, schema } = northbound;
    let dies = true;
    northbound.read = (...given) => (dies && !isThere() ? Promise.reject(DIED) : read(...given));
    const executor = acting();
    await expect(executor.turns(1)).rejects.toBe(DIED);
    dies = false;
    const [ip, port] = (part?.key ?? '').split(':') as [string, string];
    if (part === undefined) putOwner(kubernetes, finding);
    else
      kubernetes.put({
        kind: 'Service',
        metadata: { namespace: 'shop', name: 'back' },
        spec: { clusterIP: ip, clusterIPs: [ip], ports: [{ port: Number(port), protocol: 'TCP' }] },
      });
    northbound.schema = async (signal) => {
      const full = await schema(signal);
      const tables = new Map(full.tables);
      tables.delete(table);
      const of = full.tables.get(table)!;
      if (column !== undefined) {
        const columns = new Map([...of.columns].filter(([name]) => name !== column));
        tables.set(table, { ...of, columns });
      }
      return { ...full, tables };
    };
    await executor.turns(2);
    expect([executor.actions()[0]!.code, isThere()]).toEqual(['racing', false]);
    northbound.schema = schema;
    await executor.turns(1);
    expect(executor.actions()).toMatchObject([{ state: 'undone', code: 'raced' }]);
    expect(isThere()).toBe(true);
  },
);

test('a deletion that a former executor stands still with is called off before the next says that it was not done', async () => {
  const finding = only(
    (proposal) =>
      proposal.rule === 'leaked-ip' &&
      proposal.proof.some((fact) => fact.fact === 'absent' && fact.kind === 'Pod'),
  );
  let sent: Parameters<typeof kubernetes.delete>[0] | undefined;
  const send = kubernetes.delete;
  kubernetes.delete = (version) => {
    sent = version;
    return Promise.reject(DIED);
  };
  const executor = acting();
  await expect(executor.turns(1)).rejects.toBe(DIED);
  kubernetes.delete = send;
  putOwner(kubernetes, finding);
  await executor.turns(1);
  expect(executor.actions()).toMatchObject([{ state: 'refused', code: 'untrue' }]);
  expect(await kubernetes.delete(sent!, new AbortController().signal)).toMatchObject({
    is: 'refused',
    why: 'conflict',
  });
  expect(
    kubernetes.objects('IP').find((each) => each.metadata.uid === finding.subject.uid)?.metadata
      .deletionTimestamp,
  ).toBeUndefined();
});

test('where it cannot be called off, the claim stays open', async () => {
  only(
    (proposal) =>
      proposal.rule === 'leaked-ip' &&
      kubernetes.objects('IP').find((each) => each.metadata.uid === proposal.subject.uid)?.metadata[
        'annotations'
      ] === undefined,
  );
  const send = kubernetes.delete;
  kubernetes.delete = () => Promise.reject(DIED);
  const executor = acting();
  await expect(executor.turns(1)).rejects.toBe(DIED);
  kubernetes.delete = send;
  kubernetes.forbidden.add('patch IP');
  await executor.turns(1);
  expect(executor.actions()).toMatchObject([{ state: 'claimed' }]);
  expect(executor.events).toContainEqual(
    expect.objectContaining({
      type: 'unsettled',
      error: expect.objectContaining({ code: 'outcome-unknown' }),
    }),
  );
  kubernetes.forbidden.clear();
  await executor.turns(1);
  // Annotations where there were none are something new to the finding, which gets another
  // revision.
  expect(executor.actions()).toMatchObject([{ state: 'refused', code: 'changed' }]);
});

test('what is to be put back waits for the end of a hold', async () => {
  const { subject } = leakedWithPort();
  kubernetes.fault = (call) => void (call.verb === 'delete' && setUp(subject.name)) as undefined;
  const executor = acting();
  await executor.turns(1);
  kubernetes.remove('IP', undefined, subject.name);
  await decide(executor, { type: 'hold', scope: {}, reason: '', until: null });
  await executor.turns(2);
  expect(executor.actions()).toMatchObject([{ state: 'done', code: 'racing' }]);
  expect(kubernetes.objects('IP').map((each) => each.metadata.name)).not.toContain(subject.name);
  await decide(executor, {
    type: 'hold',
    scope: {},
    reason: '',
    until: null,
    except: ['put-back'],
  });
  await executor.turns(1);
  expect(executor.actions()[0]).toMatchObject({ state: 'undone', code: 'raced' });
  expect(kubernetes.objects('IP').map((each) => each.metadata.name)).toContain(subject.name);
});

test('an address that is to be put back waits for another of its name to go', async () => {
  const { subject } = leakedWithPort();
  kubernetes.fault = (call) => void (call.verb === 'delete' && setUp(subject.name)) as undefined;
  const executor = acting();
  await executor.turns(1);
  kubernetes.put({
    ...kubernetes.objects('IP').find((each) => each.metadata.uid === subject.uid)!,
    kind: 'IP',
    metadata: { name: subject.name, uid: 'another', deletionTimestamp: '2026-01-02T00:00:00Z' },
  });
  await executor.turns(1);
  expect(executor.actions()).toMatchObject([{ state: 'done', code: 'racing' }]);
  kubernetes.remove('IP', undefined, subject.name);
  await executor.turns(1);
  expect(executor.actions()).toMatchObject([{ state: 'undone', code: 'raced' }]);
});

test('an address that is there with its own uid is not reported as put back', async () => {
  const { subject } = leakedWithPort();
  const before = kubernetes.objects('IP').find((each) => each.metadata.uid === subject.uid)!;
  kubernetes.fault = (call) => void (call.verb === 'delete' && setUp(subject.name)) as undefined;
  const executor = acting();
  await executor.turns(1);
  kubernetes.remove('IP', undefined, subject.name);
  await decide(executor, { type: 'hold', scope: {}, reason: '', until: null });
  await executor.turns(1);
  expect(executor.actions()).toMatchObject([{ state: 'done', code: 'racing' }]);
  kubernetes.put({ ...before, kind: 'IP' }); // etcd was restored
  await decide(executor, { type: 'resume', scope: {} });
  await executor.turns(1);
  expect(executor.actions()).toMatchObject([
    {
      state: 'undone',
      code: 'raced',
      reason: expect.stringMatching(/^it is there .* meanwhile: /),
    },
  ]);
});

describe('a put-back that is cut off while somebody replaces what it made', () => {
  const cutOff = async (executor: Scene, uid: string, name: string): Promise<void> => {
    const read = northbound.read;
    let wasGone = false;
    northbound.read = (...given) => {
      wasGone ||= !northbound.database.rows('Port_Group').has(uid);
      return wasGone && northbound.database.rows('Port_Group').has(uid)
        ? Promise.reject(DIED)
        : read(...given);
    };
    await expect(executor.turns(1)).rejects.toBe(DIED);
    northbound.read = read;
    northbound.database.transact([
      op.update('Port_Group', op.byUuid(uid), { name: `${name}.other` }),
    ]);
  };
  const lostReply = (): void => {
    northbound.database.fault = (operations) =>
      operations.some((each) => each.op === 'insert') ? 'lose-reply' : undefined;
  };

  test('asked for by a person: reported as unclear, and not tried again', async () => {
    const { subject } = only((it) => it.rule === 'orphaned-port-group');
    const executor = acting();
    await executor.turns(1);
    proposals = [];
    await executor.decide(
      decision({
        type: 'undo',
        of: executor.actions()[0]!.id,
        cluster: executor.options.cluster,
      } as Control),
    );
    lostReply();
    await cutOff(executor, subject.uid, subject.name);
    northbound.database.fault = undefined;
    await executor.turns(2);
    expect(executor.actions()).toMatchObject([
      {
        state: 'done',
        code: 'undo-unclear',
        reason: expect.stringContaining('may have put it back'),
      },
    ]);
  });

  test('since its owner came: reported as unclear', async () => {
    const finding = only(
      (it) => it.rule === 'orphaned-port-group' && it.proof.some((fact) => fact.fact === 'absent'),
    );
    const executor = acting();
    northbound.database.fault = (operations) => {
      putOwner(kubernetes, finding);
      return operations.some((each) => each.op === 'insert') ? 'lose-reply' : undefined;
    };
    await cutOff(executor, finding.subject.uid, finding.subject.name);
    northbound.database.fault = undefined;
    proposals = [];
    await executor.turns(1);
    expect(executor.actions()).toMatchObject([{ state: 'done', code: 'raced-unclear' }]);

    await executor.decide(
      decision({
        type: 'undo',
        of: executor.actions()[0]!.id,
        cluster: executor.options.cluster,
      } as Control),
    );
    await executor.turns(1);
    expect(executor.actions()).toMatchObject([
      {
        state: 'done',
        code: 'undo-unclear',
        reason: expect.stringContaining('may have put it back'),
      },
    ]);
  });
});
