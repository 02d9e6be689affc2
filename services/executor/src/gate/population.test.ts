import { RULES } from '@ovn-steward/judgement/rules/registry';
import { Failure } from '@ovn-steward/shared/errors';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { counted } from '@ovn-steward/systems/testing/counted-systems';
import { finding } from '../testing/findings';
import { recordedSystems } from '../testing/recorded-systems';
import type { CeilingScope } from './ceilings';
import { populations } from './population';

const NEVER = new AbortController().signal;
const kindOf = (rule: string): string | undefined => RULES.find((it) => it.id === rule)?.subject;
const CLUSTER: CeilingScope = { of: 'cluster', name: 'berlin-1' };
const PORTS: CeilingScope = { of: 'rule', name: 'orphaned-logical-switch-port' };
const APPS: CeilingScope = { of: 'subnet', name: 'apps' };
const DEFAULT_VPC: CeilingScope = { of: 'vpc', name: 'ovn-cluster' };
const LIES = finding('a', { scope: { vpc: 'ovn-cluster', subnet: 'apps' } });

async function start() {
  const recorded = await recordedSystems('leaky');
  const { systems, calls } = counted(recorded);
  const time = { now: 0 };
  const read = populations({ systems, kindOf, clock: () => time.now });
  const figures = async (
    scopes: readonly CeilingScope[],
    findings: readonly Finding[] = [LIES],
  ) => {
    const population = await read(findings, NEVER);
    return scopes.map(population);
  };
  return { ...recorded, calls, time, read, figures };
}

test('counts ports for the cluster, what a rule is about for the rule, addresses in use for subnets and their VPCs', async () => {
  const { figures, northbound, kubernetes } = await start();
  const ports = northbound.database.rows('Logical_Switch_Port').size;
  const used = kubernetes.objects('Subnet').map(({ metadata, spec, status }) => ({
    name: metadata.name,
    vpc: (spec as { vpc?: string }).vpc ?? 'ovn-cluster',
    used: Math.max(
      (status as { v4usingIPs: number }).v4usingIPs,
      (status as { v6usingIPs: number }).v6usingIPs,
    ),
  }));
  const inVpc = used.filter((it) => it.vpc === 'ovn-cluster').reduce((sum, it) => sum + it.used, 0);
  expect(await figures([CLUSTER, PORTS, APPS, DEFAULT_VPC])).toEqual([ports, ports, 30, inVpc]);
  expect(inVpc).toBeGreaterThan(30);
  const leaked = finding('i', { rule: 'leaked-ip' });
  expect(await figures([{ of: 'rule', name: 'leaked-ip' }], [leaked])).toEqual([
    kubernetes.objects('IP').length,
  ]);
});

test('asks only for what is needed, and not again for ten minutes', async () => {
  const { figures, calls, time } = await start();
  await figures([], []);
  expect(calls.names).toEqual([]);
  await figures([CLUSTER], [finding('a')]);
  expect(calls.names).toEqual(['read']);
  await figures([CLUSTER, APPS]);
  time.now += 599_999;
  await figures([CLUSTER, APPS]);
  expect(calls.names).toEqual(['read', 'list:Subnet']);
  time.now += 1;
  await figures([CLUSTER, APPS]);
  expect(calls.names).toEqual(['read', 'list:Subnet', 'read', 'list:Subnet']);
});

test('what cannot be read is not known, and asked for again', async () => {
  const { figures, kubernetes } = await start();
  const leaked: Finding = finding('i', { rule: 'leaked-ip', scope: { subnet: 'apps' } });
  const IPS: CeilingScope = { of: 'rule', name: 'leaked-ip' };
  kubernetes.fault = () => new Failure('source-unreachable', 'Nobody answers.');
  expect(await figures([PORTS, IPS, APPS, DEFAULT_VPC], [LIES, leaked])).toEqual([
    expect.any(Number),
    undefined,
    undefined,
    undefined,
  ]);
  kubernetes.fault = undefined;
  expect(await figures([IPS, APPS], [leaked])).toEqual([kubernetes.objects('IP').length, 30]);
});

test('places, rules and tables nobody knows have no figure', async () => {
  const { figures } = await start();
  const strange = finding('a', {
    rule: 'of-a-later-version',
    scope: { vpc: '__proto__', subnet: 'constructor' },
  });
  expect(
    await figures(
      [
        { of: 'rule', name: 'of-a-later-version' },
        { of: 'vpc', name: '__proto__' },
        { of: 'subnet', name: 'constructor' },
      ],
      [strange],
    ),
  ).toEqual([undefined, undefined, undefined]);
});

test('a figure that is none makes the sum of its VPC none; text is a number, too, and the larger family counts', async () => {
  const { figures, kubernetes, time } = await start();
  const put = (status: object, vpc?: string): unknown =>
    kubernetes.put({
      kind: 'Subnet',
      metadata: { name: 'apps' },
      spec: vpc === undefined ? {} : { vpc },
      status,
    });
  const next = (): Promise<(number | undefined)[]> => {
    time.now += 600_000;
    return figures([APPS, { of: 'vpc', name: 'v' }]);
  };
  put({ v4usingIPs: '7', v6usingIPs: 9 }, 'v');
  expect(await next()).toEqual([9, 9]);
  put({ v4usingIPs: 7 }, 'v');
  expect(await next()).toEqual([7, 7]);
  put({ v4usingIPs: -1, v6usingIPs: 1.5 }, 'v');
  expect(await next()).toEqual([undefined, undefined]);
  put({});
  time.now += 600_000;
  expect(await figures([APPS, DEFAULT_VPC])).toEqual([undefined, undefined]);
});

test('asked to stop, it stops', async () => {
  const { read } = await start();
  await expect(read([LIES], AbortSignal.abort(new Error('asked to stop')))).rejects.toThrow(
    'asked to stop',
  );
});

test('a figure that is too old and cannot be read again is not known', async () => {
  const { figures, kubernetes, time } = await start();
  const leaked = finding('i', { rule: 'leaked-ip', scope: { subnet: 'apps' } });
  const all = () => figures([{ of: 'rule', name: 'leaked-ip' }, APPS], [leaked]);
  expect(await all()).toEqual([kubernetes.objects('IP').length, 30]);
  time.now += 600_000;
  kubernetes.fault = () => new Failure('source-unreachable', 'Nobody answers.');
  expect(await all()).toEqual([undefined, undefined]);
});

test('of a table the server does not have there is no figure, not none', async () => {
  const systems = await recordedSystems('leaky');
  const read = populations({ systems, kindOf: () => 'Later_Table', clock: () => 0 });
  const population = await read([LIES], NEVER);
  expect(population(PORTS)).toBeUndefined();
});

test('an unused subnet counts as none, one that names no VPC for the default one', async () => {
  const { figures, kubernetes } = await start();
  for (const [name, v4usingIPs] of [
    ['apps', 0],
    ['web', 3],
  ] as const)
    kubernetes.put({
      kind: 'Subnet',
      metadata: { name },
      spec: { vpc: '' },
      status: { v4usingIPs },
    });
  for (const { metadata } of kubernetes.objects('Subnet'))
    if (!['apps', 'web'].includes(metadata.name))
      kubernetes.remove('Subnet', undefined, metadata.name);
  expect(await figures([APPS, { of: 'subnet', name: 'web' }, DEFAULT_VPC])).toEqual([0, 3, 3]);
});

test('what names a VPC and no subnet has a figure, too', async () => {
  const { figures } = await start();
  const [inVpc] = await figures([DEFAULT_VPC], [finding('a', { scope: { vpc: 'ovn-cluster' } })]);
  expect(inVpc).toBeGreaterThan(30);
});
