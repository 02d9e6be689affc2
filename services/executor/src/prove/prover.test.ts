import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { Failure } from '@ovn-steward/shared/errors';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { operation } from '@ovn-steward/ovsdb';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { recordedEngine, recordedObjects, withoutLeakedRecords } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { describeProver, proveAll, proverOf, remediable } from './prover.contract';
import type { Proven } from './prove-in-rounds';

const never = new AbortController().signal;

describeProver('in memory', async (recording) => ({ systems: await recordedSystems(recording) }));

let engine: Engine;
let findings: readonly Finding[];
let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let isThere: Awaited<ReturnType<typeof withoutLeakedRecords>>;
let strayPorts: readonly Finding[];
const prover = (...given: Parameters<typeof proverOf>[1][]) =>
  proverOf({ northbound, kubernetes }, ...given);
const ofRule = (rule: string): Finding => findings.find((it) => it.rule === rule)!;
/** The address records of dead pods are gone, and their ports are left: the first of them. */
const strayPort = (): Finding => {
  for (const object of recordedObjects('leaky').filter((it) => !isThere(it)))
    kubernetes.remove('IP', undefined, object.metadata.name);
  return strayPorts[0]!;
};
const proven = async (finding: Finding): Promise<Proven> => {
  const proof = await prover().prove(finding, never);
  if (proof.is !== 'proven') throw new Error(JSON.stringify(proof));
  return proof;
};

beforeAll(async () => {
  engine = await recordedEngine('leaky');
  findings = remediable(engine);
  isThere = await withoutLeakedRecords('leaky');
  strayPorts = remediable(await recordedEngine('leaky', isThere)).filter(
    (it) => it.rule === 'orphaned-logical-switch-port',
  );
});
beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
});

test('the recording has a finding of most rules that have a remedy', () =>
  expect([...new Set(findings.map((it) => it.rule))].length).toBeGreaterThanOrEqual(9));

test('what is in doubt is not proven, whatever remedy it has', async () => {
  const finding = { ...ofRule('leaked-ip'), doubt: 'another may hold its address' };
  expect(await prover().prove(finding, never)).toEqual({
    is: 'untrue',
    reason: 'it is in doubt: another may hold its address',
  });
});

describe('a kind that cannot be read', () => {
  const kinds = [...new Set(RULES.flatMap((it) => [...it.reads, ...(it.consults ?? [])]))];

  test.each(kinds)('%s: forbidden or broken, nothing that rests on it is proven', async (kind) => {
    const resting = findings.filter(({ rule }) =>
      ([...RULES.find((it) => it.id === rule)!.reads] as string[]).includes(kind),
    );
    for (const verb of ['serves', 'get', 'list', 'count'])
      kubernetes.forbidden.add(`${verb} ${kind}`);
    if (!kubernetesKindOf(kind))
      northbound.database.between = () => {
        throw new Failure('source-unreachable', 'away');
      };
    const proofs = await proveAll(prover(), resting);
    expect(proofs.map((it) => it.is)).toEqual(resting.map(() => 'unknown'));
    for (const it of proofs)
      expect(it).toMatchObject({ reason: expect.stringMatching(/may not|away/) });
    northbound.database.between = undefined;
    kubernetes.forbidden.clear();
    kubernetes.fault = (call) =>
      call.kind === kind ? new Failure('source-unreachable', 'gone away') : undefined;
    if (kubernetesKindOf(kind))
      expect((await proveAll(prover(), resting)).map((it) => it.is)).toEqual(
        resting.map(() => 'unknown'),
      );
  });

  const kubernetesKindOf = (kind: string): boolean => !/_|^(NAT|ACL)$/.test(kind);

  test('a kind that is not installed has nothing', async () => {
    kubernetes.notInstalled.add('VirtualMachine').add('VirtualMachineInstance');
    expect(await prover().prove(ofRule('leaked-ip'), never)).toMatchObject({ is: 'proven' });
  });

  test('a kind whose definition is there, and that is not served all the same', async () => {
    kubernetes.fault = (call) =>
      call.kind === 'VirtualMachine' && call.verb !== 'serves'
        ? new Failure('source-not-served', 'not served')
        : undefined;
    expect(await prover().prove(ofRule('leaked-ip'), never)).toEqual({
      is: 'unknown',
      reason: 'not served',
    });
  });

  test('one that fails only when it is asked for the object itself', async () => {
    kubernetes.fault = (call) =>
      call.verb === 'get' && call.kind === 'Pod'
        ? new Failure('source-unreachable', 'gone away')
        : undefined;
    expect(await prover().prove(ofRule('leaked-ip'), never)).toEqual({
      is: 'unknown',
      reason: 'gone away',
    });
  });

  test('an object that cannot be read', async () => {
    const finding = ofRule('stale-load-balancer-vip');
    kubernetes.put({
      kind: 'Service',
      metadata: { namespace: 'shop', name: 'odd' },
      spec: { ports: 'none' },
    });
    expect(await prover().prove(finding, never)).toMatchObject({
      is: 'unknown',
      reason: expect.stringContaining('Service shop/odd cannot be read'),
    });
  });
});

describe('what is not acted on', () => {
  test.each([
    ['not confirmed', { state: 'suspected' }, 'suspected'],
    ['resolved', { state: 'resolved' }, 'resolved'],
    ['of another cluster', { cluster: 'other' }, 'cluster other'],
    ['without a remedy', { remedy: null }, 'no remedy'],
    ['of no rule', { rule: 'constructor' }, 'no rule'],
    ['of a subject the rule does not judge', { rule: 'leaked-ip' }, 'judges IP'],
  ] as [string, Partial<Finding>, string][])('%s', async (_, changed, says) => {
    expect(await prover().prove({ ...strayPort(), ...changed }, never)).toEqual({
      is: 'untrue',
      reason: expect.stringContaining(says),
    });
  });

  test('a true finding with another remedy, target or proof', async () => {
    const finding = strayPort();
    const [first, ...rest] = finding.proof;
    const [other] = engine.world.entities('Logical_Switch_Port');
    const target = {
      source: 'ovn-nb' as const,
      kind: 'Logical_Switch_Port',
      name: other!.name,
      uid: other!.uid,
    };
    const changed: Partial<Finding>[] = [
      { remedy: { ...finding.remedy!, action: 'delete-port-group' } },
      { remedy: { ...finding.remedy!, target } },
      { proof: rest },
      { proof: [...rest, first!] },
      { subject: { ...finding.subject, name: 'x' } },
      {
        proof: finding.proof.map((it) =>
          it.fact === 'unchanged' ? { ...it, digest: '0000000000000000' } : it,
        ),
      },
      {
        proof: finding.proof.map((it) =>
          it.fact === 'unchanged' ? { fact: it.fact, subject: it.subject } : it,
        ),
      },
    ];
    for (const it of changed)
      expect((await prover().prove({ ...finding, ...it }, never)).is).toBe('changed');
  });

  test('what a person keeps by the settings: subject, target or concern', async () => {
    const withConcerns = findings.find(
      (it) => it.rule === 'orphaned-port-group' && it.concerns.length > 0,
    )!;
    const kept = { is: 'untrue', reason: expect.stringContaining('protected') };
    expect(await prover([{ table: /^Port_Group$/ } as never]).prove(withConcerns, never)).toEqual(
      kept,
    );
    expect(await prover([{ table: /^ACL$/ } as never]).prove(withConcerns, never)).toEqual(kept);
    expect(await prover([{ table: /^IP$/ } as never]).prove(ofRule('leaked-ip'), never)).toEqual(
      kept,
    );
    expect(await prover([{ table: /^Pod$/ } as never]).prove(withConcerns, never)).toMatchObject({
      is: 'proven',
    });
  });

  test('what a person keeps by a mark on it', async () => {
    const finding = ofRule('leaked-ip');
    const object = kubernetes.objects('IP').find((it) => it.metadata.uid === finding.subject.uid)!;
    kubernetes.put({
      ...object,
      kind: 'IP',
      metadata: { ...object.metadata, annotations: { 'ovn-steward.dev/protect': 'audit' } },
    });
    expect((await prover().prove(finding, never)).is).not.toBe('proven');
  });

  test('an object of the same name that is another', async () => {
    const finding = ofRule('leaked-ip');
    const object = kubernetes.objects('IP').find((it) => it.metadata.uid === finding.subject.uid)!;
    kubernetes.put({
      ...object,
      kind: 'IP',
      metadata: { ...object.metadata, uid: '11111111-2222-4333-8444-555555555555' },
    });
    expect(await prover().prove(finding, never)).toEqual({ is: 'gone' });
  });
});

describe('what is known of it once it is proven', () => {
  test('where it lies', async () => {
    expect((await proven(strayPort())).scope).toEqual({
      subnet: 'ovn-default',
      vpc: 'ovn-cluster',
    });
    expect((await proven(ofRule('orphaned-logical-router-port'))).scope).toEqual({
      subnet: null,
      vpc: 'tenant-a-vpc',
    });
    expect((await proven(ofRule('orphaned-logical-router-policy'))).scope.vpc).toBe('ovn-cluster');
    expect((await proven(ofRule('stale-load-balancer-vip'))).scope).toEqual({
      subnet: null,
      vpc: null,
    });
  });

  test('what must stay absent, and that it was checked', async () => {
    const before = performance.now();
    const proof = await proven(ofRule('leaked-ip'));
    const claimed = proof.claim.proof.flatMap((fact) =>
      fact.fact === 'absent' ? [{ kind: fact.kind, key: fact.key }] : [],
    );
    expect(proof.foundations.absences).toEqual(expect.arrayContaining(claimed));
    expect(proof.readAt).toBeGreaterThanOrEqual(before);
    expect(proof.readAt).toBeLessThan(performance.now());
  });
});

describe('the last check', () => {
  test('each absence: what appears is named, what cannot be read is a doubt', async () => {
    const proof = await proven(ofRule('leaked-ip'));
    expect(proof.foundations.absences.length).toBeGreaterThan(3);
    for (const { kind, key } of proof.foundations.absences) {
      const slash = key.indexOf('/');
      const [namespace, name] =
        slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
      kubernetes.put({
        kind,
        metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
      });
      expect(await prover().recheck(proof, never)).toEqual({
        is: 'changed',
        reason: `${kind} ${key} is there now`,
      });
      kubernetes.remove(kind, namespace, name);
      kubernetes.fault = (call) =>
        call.verb === 'get' && call.kind === kind && call.name === name
          ? new Failure('source-forbidden', 'we may not')
          : undefined;
      expect(await prover().recheck(proof, never)).toEqual({
        is: 'unknown',
        reason: `whether ${kind} ${key} exists cannot be known: we may not`,
      });
      kubernetes.fault = undefined;
    }
    expect(await prover().recheck(proof, never)).toBeUndefined();
  });

  test('what a list did not have, and has now', async () => {
    const finding = ofRule('stale-load-balancer-vip');
    const proof = await proven(finding);
    const [ip, port] = finding.subject.part!.key.split(':') as [string, string];
    kubernetes.put({
      kind: 'Service',
      metadata: { namespace: 'shop', name: 'back' },
      spec: { clusterIP: ip, clusterIPs: [ip], ports: [{ port: Number(port), protocol: 'TCP' }] },
    });
    expect(await prover().recheck(proof, never)).toEqual({
      is: 'changed',
      reason: expect.stringContaining('Service shop/back is there now'),
    });
  });

  test('a port that came since, in a table that the proof itself had searched a moment ago', async () => {
    const asked = prover();
    const finding = ofRule('leaked-vip');
    const proof = await asked.prove(finding, never);
    if (proof.is !== 'proven') throw new Error(JSON.stringify(proof));
    const { key } = proof.foundations.rows
      .map(({ question }) => question)
      .flatMap((requested) =>
        requested.ask === 'relation' && requested.relation === 'ports-by-address'
          ? [requested]
          : [],
      )[0]!;
    const [uuid, address] = key.split(' ') as [string, string];
    const added = northbound.database.transact([
      operation.insertNamed(
        'Logical_Switch_Port',
        { name: 'late', addresses: `0a:58:00:00:00:99 ${address}` },
        'it',
      ),
      operation.mutate('Logical_Switch', operation.byUuid(uuid), [
        ['ports', 'insert', operation.named('it')],
      ]),
    ]);
    expect(added.ok).toBe(true);
    expect(await asked.recheck(proof, never)).toEqual({
      is: 'changed',
      reason: 'Logical_Switch_Port late is there now',
    });
  });

  test('a subnet that counts again is no other, one made again under its name is', async () => {
    const finding = ofRule('leaked-ip');
    const proof = await proven(finding);
    const subnet = kubernetes
      .objects('Subnet')
      .find(({ metadata }) => metadata.name === proof.scope.subnet)!;
    kubernetes.put({ ...subnet, kind: 'Subnet', status: { v4usingIPs: 99 } });
    expect(await prover().recheck(proof, never)).toBeUndefined();
    kubernetes.put({ ...subnet, kind: 'Subnet', metadata: { ...subnet.metadata, uid: 'another' } });
    expect(await prover().recheck(proof, never)).toEqual({
      is: 'changed',
      reason: `Subnet ${proof.scope.subnet} is not the one it was`,
    });
  });

  test('what it rested on being there, and as it was', async () => {
    const finding = findings.find((it) =>
      it.proof.some((fact) => fact.fact === 'present' && fact.subject.kind === 'StatefulSet'),
    )!;
    const proof = await proven(finding);
    const { key } = proof.foundations.witnesses.find(({ kind }) => kind === 'StatefulSet')!;
    const set = kubernetes
      .objects('StatefulSet')
      .find(({ metadata }) => `${metadata.namespace}/${metadata.name}` === key)!;
    kubernetes.put({
      ...set,
      kind: 'StatefulSet',
      spec: { ...(set['spec'] as object), replicas: 1000 },
    });
    expect(await prover().recheck(proof, never)).toEqual({
      is: 'changed',
      reason: `StatefulSet ${key} says something else than a moment ago`,
    });
    kubernetes.remove('StatefulSet', set.metadata.namespace, set.metadata.name);
    expect(await prover().recheck(proof, never)).toEqual({
      is: 'changed',
      reason: `StatefulSet ${key} is not the one it was`,
    });
  });
});

describe('what rests on there being no controller', () => {
  const GONE = ['Vpc', 'Subnet', 'Pod', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'];
  const lease = (more: object = {}) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'kube-ovn-controller', namespace: 'kube-system' },
    spec: { holderIdentity: 'outside', renewTime: '2026-01-01T00:00:00.000000Z', ...more },
  });
  const left = async (): Promise<Finding> => {
    for (const kind of GONE)
      for (const { metadata } of kubernetes.objects(kind))
        kubernetes.remove(kind, metadata.namespace, metadata.name);
    northbound.database.transact([operation.update('Logical_Switch_Port', [], { up: false })]); // what a chassis holds up may be in use
    const down = <T extends { readonly kind: string; readonly object: object }>(row: T): T =>
      row.kind === 'Logical_Switch_Port' ? { ...row, object: { ...row.object, up: false } } : row;
    return remediable(await recordedEngine('leaky', ({ kind }) => !GONE.includes(kind), down)).find(
      (it) => it.rule === 'uninstalled-address-set',
    )!;
  };
  const patient = (meanwhile: () => void = () => undefined) =>
    proverOf({ northbound, kubernetes }, [], { pause: async () => meanwhile() });

  test('is proven where none leads, and not acted on where one takes the Lease since', async () => {
    const finding = await left();
    kubernetes.put(lease());
    const asked = patient();
    const proof = await asked.prove(finding, never);
    if (proof.is !== 'proven') throw new Error(JSON.stringify(proof));
    expect(await asked.recheck(proof, never)).toBeUndefined();
    kubernetes.put(lease({ renewTime: new Date().toISOString() }));
    expect(await asked.recheck(proof, never)).toEqual({
      is: 'unknown',
      reason: expect.stringContaining('(outside) holds Lease kube-system/kube-ovn-controller'),
    });
    kubernetes.fault = ({ kind }) =>
      kind === 'Lease' ? new Failure('source-forbidden', 'we may not') : undefined;
    expect(await asked.recheck(proof, never)).toEqual({
      is: 'unknown',
      reason: expect.stringContaining('we may not'),
    });
  });

  test.each([
    [
      'one leads from outside the cluster',
      () => void kubernetes.put(lease({ renewTime: new Date().toISOString() })),
      () => undefined,
    ],
    [
      'one renews its Lease, whatever our clock says',
      () => void kubernetes.put(lease()),
      () => void kubernetes.put(lease({ renewTime: '2026-01-01T00:00:02.000000Z' })),
    ],
    ['its Lease cannot be read', () => void kubernetes.forbidden.add('get Lease'), () => undefined],
  ])('is unknown where %s', async (_, before, meanwhile) => {
    const finding = await left();
    before();
    expect(await patient(() => void meanwhile()).prove(finding, never)).toMatchObject({
      is: 'unknown',
    });
  });
});

test('a row that was touched since it was found', async () => {
  const { subject } = strayPort();
  northbound.database.transact([
    operation.update('Logical_Switch_Port', operation.byUuid(subject.uid), { port_security: 'x' }),
  ]);
  expect(await prover().prove(strayPort(), never)).toEqual({
    is: 'changed',
    reason: `Logical_Switch_Port ${subject.name} says something else than when it was found`,
  });
});

test('an ACL of somebody else that names the port keeps it', async () => {
  const { subject } = strayPort();
  const [[group]] = northbound.database.rows('Port_Group') as unknown as [[string]];
  northbound.database.transact([
    operation.insertNamed(
      'ACL',
      {
        action: 'allow',
        direction: 'to-lport',
        priority: 1,
        match: `outport == "${subject.name}"`,
        external_ids: operation.map([['neutron:x', 'y']]),
      },
      'acl',
    ),
    operation.mutate('Port_Group', operation.byUuid(group), [
      ['acls', 'insert', operation.named('acl')],
    ]),
  ]);
  expect(await prover().prove(strayPort(), never)).toMatchObject({
    is: 'untrue',
  });
});

test('given up, it is unknown', async () => {
  expect(await prover().prove(strayPort(), AbortSignal.abort())).toMatchObject({ is: 'unknown' });
});
