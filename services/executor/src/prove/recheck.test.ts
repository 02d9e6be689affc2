import { Failure } from '@ovn-steward/shared/errors';
import type { Foundations } from '@ovn-steward/contracts/actions/foundations';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { recordedSystems } from '../testing/recorded-systems';
import type { ProofSources } from './fetch-answers';
import { fetchAnswers } from './fetch-answers';
import { type ProofDoubt, whatAppeared } from './recheck';
import { LiveObjects } from './live-objects';
import { LiveRows } from './live-rows';
import { createBulkCache } from './bulk-cache';
import type { Question } from './question';
import { rowReferences } from './row-references';
import { selectBatch } from './select-batch';

const never = new AbortController().signal;
const NOTHING: Foundations = { absences: [], witnesses: [], vacancies: [], rows: [] };
const SWITCH: Question = { ask: 'key', kind: 'Logical_Switch', key: 'ovn-default' };

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('clean'));
});

async function sources(): Promise<ProofSources> {
  const cache = createBulkCache();
  const schema = await northbound.schema(never);
  return {
    rows: new LiveRows(selectBatch(northbound, never), schema, rowReferences(schema)),
    objects: new LiveObjects(kubernetes, cache),
    cache,
  };
}

const appeared = (
  foundations: Partial<Foundations>,
  from: () => Promise<ProofSources> = sources,
): Promise<ProofDoubt | undefined> =>
  whatAppeared(
    { ...NOTHING, ...foundations },
    new LiveObjects(kubernetes, createBulkCache()),
    from,
    0,
    never,
  );

/** The rows that the question finds now, as a proof keeps them. */
async function known(question: Question): Promise<Record<string, string>> {
  const [[, answer] = []] = await fetchAnswers([question], await sources(), never);
  if (answer?.is !== 'found') throw new Error('the recording has no such row');
  return Object.fromEntries(answer.entities.map(({ uid, hash }) => [uid, hash]));
}

describe('rows', () => {
  test('that say what they said are no doubt', async () => {
    const rows = [{ question: SWITCH, known: await known(SWITCH) }];
    expect(Object.keys(rows[0]!.known)).toHaveLength(1);
    expect(await appeared({ rows })).toBeUndefined();
  });

  test('that say something else are changed', async () => {
    const [uid] = Object.keys(await known(SWITCH));
    expect(
      await appeared({ rows: [{ question: SWITCH, known: { [uid!]: 'other' } }] }),
    ).toMatchObject({ is: 'changed', reason: expect.stringContaining('something else') });
  });

  test('that were not there are changed', async () => {
    expect(await appeared({ rows: [{ question: SWITCH, known: {} }] })).toMatchObject({
      is: 'changed',
      reason: 'Logical_Switch ovn-default is there now',
    });
  });

  test('that cannot be read are unknown, though all that could be read is as it was', async () => {
    const rows = [{ question: SWITCH, known: await known(SWITCH) }];
    const read = northbound.read.bind(northbound);
    let reads = 0;
    northbound.read = () => {
      reads += 1;
      return Promise.reject(new Failure('source-unreachable', 'nobody answers'));
    };
    expect(await appeared({ rows })).toEqual({ is: 'unknown', reason: 'nobody answers' });
    expect(reads).toBeGreaterThan(0);
    northbound.read = read;
    expect(await appeared({ rows })).toBeUndefined();
  });

  test('are all that counts among what their question finds: objects are asked for by lists', async () => {
    kubernetes.put({
      kind: 'Pod',
      metadata: {
        name: 'late',
        namespace: 'shop',
        annotations: { 'ovn.kubernetes.io/vip': 'vip-late' },
      },
    });
    const question = { ask: 'relation', relation: 'vip-users', key: 'name vip-late' } as const;
    expect(await appeared({ rows: [{ question, known: {} }] })).toBeUndefined();
    const vacancies = [{ relation: 'vip-users', key: 'name vip-late' }];
    expect(await appeared({ vacancies })).toMatchObject({ is: 'changed' });
  });

  test('need no Northbound database where the proof rests on none of them', async () => {
    const unreachable = () => Promise.reject(new Failure('source-unreachable', 'nobody answers'));
    expect(await appeared({ rows: [] }, unreachable)).toBeUndefined();
  });
});

describe('objects', () => {
  const nodes = () => kubernetes.list('Node', undefined, never);
  const absences = [{ kind: 'Node', key: 'worker-99' }];

  test('that are absent still are no doubt, one that is there is changed', async () => {
    expect(await appeared({ absences })).toBeUndefined();
    const [node] = await nodes();
    const key = (node!['metadata'] as { name: string }).name;
    expect(await appeared({ absences: [{ kind: 'Node', key }] })).toEqual({
      is: 'changed',
      reason: `Node ${key} is there now`,
    });
  });

  test('that cannot be read are unknown', async () => {
    kubernetes.forbidden.add('get Node');
    expect(await appeared({ absences })).toMatchObject({
      is: 'unknown',
      reason: expect.stringContaining('Node worker-99'),
    });
  });

  test('of another uid than the witness had are changed', async () => {
    const [node] = await nodes();
    const { name: key, uid } = node!['metadata'] as { name: string; uid: string };
    const witness = { kind: 'Node', key };
    expect(await appeared({ witnesses: [{ ...witness, uid }] })).toBeUndefined();
    expect(await appeared({ witnesses: [{ ...witness, uid: 'another' }] })).toMatchObject({
      is: 'changed',
    });
  });

  test('of the same uid that say something else are changed', async () => {
    const [node] = await nodes();
    const { name: key, uid } = node!['metadata'] as { name: string; uid: string };
    const hash = (await new LiveObjects(kubernetes, createBulkCache()).get('Node', key, never))!
      .hash;
    const witness = { kind: 'Node', key, uid };
    expect(await appeared({ witnesses: [{ ...witness, hash }] })).toBeUndefined();
    expect(await appeared({ witnesses: [{ ...witness, hash: 'other' }] })).toEqual({
      is: 'changed',
      reason: `Node ${key} says something else than a moment ago`,
    });
  });

  test('one that cannot be read is unknown, though others before it are as they were', async () => {
    kubernetes.forbidden.add('get Pod');
    const doubt = await appeared({ absences: [...absences, { kind: 'Pod', key: 'a/b' }] });
    expect(doubt).toMatchObject({ is: 'unknown', reason: expect.stringContaining('Pod a/b') });
  });

  test('a doubt that they changed weighs more than one that they cannot be read', async () => {
    kubernetes.forbidden.add('get Pod');
    const doubt = await appeared({
      absences: [{ kind: 'Pod', key: 'a/b' }],
      witnesses: [{ kind: 'Node', key: 'worker-99', uid: 'x' }],
    });
    expect(doubt?.is).toBe('changed');
  });
});

describe('lists', () => {
  const vacancies = [{ relation: 'ovn-eips-by-address', key: '198.51.100.7' }];

  test('in which nothing has the key still are no doubt, an object that has it is changed', async () => {
    expect(await appeared({ vacancies })).toBeUndefined();
    kubernetes.put({
      kind: 'OvnEip',
      metadata: { name: 'eip-late' },
      spec: { v4Ip: '198.51.100.7' },
    });
    expect(await appeared({ vacancies })).toEqual({
      is: 'changed',
      reason: 'OvnEip eip-late is there now (ovn-eips-by-address 198.51.100.7)',
    });
  });

  test('name an object of a namespace with it', async () => {
    const virtual = { relation: 'pods-by-machine', key: 'shop/vm-1' };
    expect(await appeared({ vacancies: [virtual] })).toBeUndefined();
    kubernetes.put({
      kind: 'Pod',
      metadata: {
        name: 'virt-launcher-vm-1',
        namespace: 'shop',
        annotations: { 'ovn.kubernetes.io/virtualmachine': 'vm-1' },
      },
    });
    expect((await appeared({ vacancies: [virtual] }))?.reason).toContain(
      'Pod shop/virt-launcher-vm-1 is there now',
    );
  });

  test('that cannot be read are unknown', async () => {
    kubernetes.forbidden.add('list OvnEip');
    expect(await appeared({ vacancies })).toMatchObject({
      is: 'unknown',
      reason: expect.stringContaining('ovn-eips-by-address 198.51.100.7'),
    });
  });

  test.each(['ports-by-pod', 'referrers-by-name'])(
    'are not asked of Kubernetes for rows alone: %s',
    async (relation) => {
      const requested: string[] = [];
      kubernetes.between = ({ verb, kind }) => void requested.push(`${verb} ${kind}`);
      expect(await appeared({ vacancies: [{ relation, key: 'web' }] })).toBeUndefined();
      expect(requested).toEqual([]);
    },
  );
});
