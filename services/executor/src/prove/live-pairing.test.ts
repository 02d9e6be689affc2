import { ascendingBy } from '@ovn-steward/shared/compare';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { operation } from '@ovn-steward/ovsdb';
import { uninstalledText } from '@ovn-steward/shared/settings/uninstalled';
import { livingIdentity } from '@ovn-steward/systems/living-identity';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { recordedEngine } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { identityOf } from '../testing/identities';
import { proveAll, proverOf, remediable } from './prover.contract';
import { createBulkCache } from './bulk-cache';
import { LiveObjects } from './live-objects';
import { pairingOfLiving } from './live-pairing';
import { LiveRows } from './live-rows';
import { rowReferences } from './row-references';
import { selectBatch } from './select-batch';

const never = new AbortController().signal;
const MAC = 'ovn.kubernetes.io/mac_address';

let findings: readonly Finding[];
let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;

beforeAll(async () => {
  findings = remediable(await recordedEngine('leaky'));
});
beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
});

/** What all proofs come to, each once. */
const outcomes = async (): Promise<string[]> => [
  ...new Set((await proveAll(proverOf({ northbound, kubernetes }), findings)).map(({ is }) => is)),
];
const changed = (kind: string, change: (annotations: Record<string, string>) => void): void => {
  for (const object of kubernetes.objects(kind)) {
    const annotations = {
      ...(object.metadata['annotations'] as Record<string, string> | undefined),
    };
    change(annotations);
    kubernetes.put({ ...object, kind, metadata: { ...object.metadata, annotations } });
  }
};

test('one cluster: all that the audit found is proven', async () =>
  expect(await outcomes()).toEqual(['proven']));

test('the nodes of another cluster of the same names: nothing is proven, and it is said why', async () => {
  changed('Node', (annotations) => {
    annotations[MAC] = '0a:00:00:00:00:99';
  });
  expect(await outcomes()).toEqual(['mispaired']);
});

test('nodes that were never addressed, and no pod of the system: nothing is proven', async () => {
  changed('Node', (annotations) => {
    delete annotations['ovn.kubernetes.io/allocated'];
    delete annotations['ovn.kubernetes.io/logical_switch'];
  });
  changed('Pod', (annotations) => {
    for (const key of Object.keys(annotations))
      if (key.endsWith('/mac_address')) delete annotations[key];
  });
  expect(await outcomes()).toEqual(['unknown']);
});

test('other nodes, while chassis hold those of the network up', async () => {
  for (const object of kubernetes.objects('Node')) {
    kubernetes.remove('Node', undefined, object.metadata.name);
    kubernetes.put({
      ...object,
      kind: 'Node',
      metadata: { ...object.metadata, name: `x-${object.metadata.name}` },
    });
  }
  for (const object of kubernetes.objects('Pod'))
    if (object.metadata.namespace === 'kube-system')
      kubernetes.remove('Pod', 'kube-system', object.metadata.name);
  expect((await outcomes()).includes('proven')).toBe(false);
});

test('ports that were lost are what is to be found, though the port of a node is up that is gone', async () => {
  const pods = kubernetes
    .objects('Pod')
    .filter(
      ({ metadata: { namespace, annotations } }) =>
        namespace === 'kube-system' &&
        (annotations as Record<string, string> | undefined)?.[MAC] !== undefined,
    )
    .sort(ascendingBy((it) => it.metadata.name));
  const lost = pods.slice(0, 3).map(({ metadata }) => `${metadata.name}.kube-system`);
  expect(lost).toHaveLength(3);
  northbound.database.transact([
    ...lost.map((it) =>
      operation.update('Logical_Switch_Port', [['name', '==', it]], { name: `x-${it}` }),
    ),
    operation.update('Logical_Switch_Port', [['name', '==', 'node-edge-1.dc2.example.net']], {
      up: true,
    }),
  ]);
  const [policy] = findings.filter((it) => it.subject.name === 'allow.frontend.shop');
  expect(await proverOf({ northbound, kubernetes }).prove(policy!, never)).toMatchObject({
    is: 'proven',
  });
});

test('it is asked again at the last check', async () => {
  const prover = proverOf({ northbound, kubernetes });
  const [proof] = await proveAll(prover, findings);
  if (proof?.is !== 'proven') throw new Error(JSON.stringify(proof));
  expect(await prover.recheck(proof, never)).toBeUndefined();
  for (const object of kubernetes.objects('Node'))
    northbound.database.transact([
      operation.update('Logical_Switch_Port', [['name', '==', `node-${object.metadata.name}`]], {
        addresses: '0a:00:00:00:00:99 100.64.0.9',
      }),
    ]);
  expect(await proverOf({ northbound, kubernetes }).recheck(proof, never)).toMatchObject({
    is: 'mispaired',
  });
});

describe('which pair it is', () => {
  /** The same, which say to be another from the n-th time on that they are asked. */
  const another = (kind: 'northbound' | 'kubernetes', from: number) => {
    let requested = 0;
    const systems = { northbound, kubernetes };
    const { identity } = systems[kind];
    const identified = async (signal: AbortSignal): Promise<string> =>
      (requested += 1) < from ? identity(signal) : 'another';
    return {
      ...systems,
      [kind]: Object.assign(Object.create(systems[kind]) as object, { identity: identified }),
    } as typeof systems;
  };

  test('a proof carries it', async () => {
    const systems = { northbound, kubernetes };
    expect(await proverOf(systems).prove(findings[0]!, never)).toMatchObject({
      is: 'proven',
      identity: await identityOf(systems),
    });
  });

  test.each(['northbound', 'kubernetes'] as const)(
    'another %s after the evidence than before it: nothing is proven',
    async (kind) =>
      expect(await proverOf(another(kind, 2)).prove(findings[0]!, never)).toMatchObject({
        is: 'unknown',
        reason: expect.stringMatching(/became the Northbound .*another/),
      }),
  );

  test.each(['northbound', 'kubernetes'] as const)(
    'another %s at the last check, though those two are one cluster as well',
    async (kind) => {
      const proof = await proverOf({ northbound, kubernetes }).prove(findings[0]!, never);
      if (proof.is !== 'proven') throw new Error(JSON.stringify(proof));
      expect(await proverOf(another(kind, 1)).recheck(proof, never)).toMatchObject({
        is: 'mispaired',
        reason: expect.stringMatching(/it was proven on .*another.* answer now/),
      });
    },
  );
});

describe('what a person said of an uninstall', () => {
  const LIFE = 'a kube-ovn-controller runs there';
  const silent = (): void => {
    changed('Node', (annotations) => {
      delete annotations['ovn.kubernetes.io/allocated'];
      delete annotations['ovn.kubernetes.io/logical_switch'];
    });
    changed('Pod', (annotations) => {
      for (const key of Object.keys(annotations))
        if (key.endsWith('/mac_address')) delete annotations[key];
    });
  };
  const here = async (): Promise<string> =>
    uninstalledText(await identityOf({ northbound, kubernetes }));
  const requesting = async (
    said: readonly string[],
    life?: string,
    cache = createBulkCache(),
    ageMs = 0,
  ): ReturnType<typeof pairingOfLiving> => {
    const schema = await northbound.schema(never);
    return pairingOfLiving(
      cache,
      livingIdentity({ northbound, kubernetes }, () => performance.now()),
      async () => new LiveRows(selectBatch(northbound, never), schema, rowReferences(schema)),
      new LiveObjects(kubernetes, createBulkCache()),
      { statements: said, life: async () => life },
      ageMs,
      never,
    );
  };
  const another = 'nb:00000000-0000-4000-8000-000000000000/another';

  test('stands for the evidence where there is none, and for nothing without it', async () => {
    silent();
    expect(await requesting([])).toMatchObject({ is: 'unknown' });
    expect(await requesting([await here()])).toMatchObject({ is: 'paired', bySaying: true });
  });

  test('counts for no other pair, which is reported', async () => {
    silent();
    expect(await requesting([another])).toMatchObject({
      is: 'unknown',
      reason: expect.stringContaining(`was said of ${another}, and this is ${await here()}`),
    });
  });

  test('is refused where Kube-OVN lives', async () => {
    silent();
    expect(await requesting([await here()], LIFE)).toMatchObject({
      is: 'unknown',
      reason: expect.stringContaining(LIFE),
    });
  });

  test.each(['here', 'elsewhere'])('adds nothing to what is shown: said of %s', async (where) => {
    const said = where === 'here' ? await here() : another;
    expect(await requesting([said], LIFE)).toMatchObject({ is: 'paired', bySaying: false });
  });

  test('an answer is shared by who takes one of that age, and by nobody else', async () => {
    const cache = createBulkCache();
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      expect(await requesting([], undefined, cache)).toMatchObject({ is: 'paired' });
      silent();
      now = 1000;
      expect(await requesting([], undefined, cache, 1000)).toMatchObject({ is: 'paired' });
      expect(await requesting([], undefined, cache, 999)).toMatchObject({ is: 'unknown' });
    } finally {
      clock.mockRestore();
    }
  });
});
