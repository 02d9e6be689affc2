import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Shell } from '../../support/shell';
import type { Objects, Thing } from '../../incidents/actor/objects';
import { audited } from '../audited';
import { addressed, addressOf, ownerOf, pod, statefulSet, WORKERS } from '../cluster';
import {
  addGateway,
  endGateway,
  gatewayPod,
  gone,
  type GatewayPlan,
  partsOf,
  removeGateway,
} from '../gateways';
import type { Rig } from '../rig';
import { AT_ONCE, COLLECTS_EVERY, type Scenario, type Stage } from './scenario';
import { settles } from './settles';
import type { Finding } from '@ovn-steward/contracts/findings/finding';

/** How long the controller gets to finish what it can. */
const FINISHES_MS = 15_000;
const STUCK: Readonly<Record<string, string>> = {
  IptablesEIP: 'stuck-iptables-eip-deletion',
  IptablesFIPRule: 'stuck-iptables-fip-rule-deletion',
  IptablesDnatRule: 'stuck-iptables-dnat-rule-deletion',
  IptablesSnatRule: 'stuck-iptables-snat-rule-deletion',
};

const LOST = { kind: 'IP', metadata: { name: 'lost-0.tenant' } };

/** What would be removed, or hangs. */
const found = async (shell: Shell): Promise<readonly Finding[]> =>
  (await audited(shell)).findings.filter((it) => ['garbage', 'leak', 'stuck'].includes(it.class));

const saying = ({ rule, subject }: Finding): string => `${rule} ${subject.name}`;

/** What is found is exactly this. */
function expected(after: string, is: readonly Finding[], wanted: readonly string[]): string[] {
  const lines = is.map(saying);
  return [
    ...wanted.filter((it) => !lines.includes(it)).map((it) => `not found: ${it}, ${after}`),
    ...lines.filter((it) => !wanted.includes(it)).map((it) => `accused: ${it}, ${after}`),
  ];
}

/**
 * A pod that went while the controller was away; its address is still behind the rules of a
 * gateway.
 */
async function lose(
  { objects, nbctl, restartController }: Rig,
  set: Thing,
  lost: Thing,
): Promise<void> {
  await restartController();
  await objects.remove(lost, true);
  await objects.remove(set);
  await waitFor(
    async () => {
      const up = await nbctl('get', 'Logical_Switch_Port', LOST.metadata.name, 'up');
      return up.trim() === 'false';
    },
    { what: 'its port to be down', timeoutMs: 60_000 },
  );
  // Without its collection, which takes such a record in the end.
  await restartController(0);
}

/** The record of that address: kept while the rules lead to it, removed when they are gone. */
async function behindRules(rig: Rig, it: Shell, plan: GatewayPlan): Promise<readonly string[]> {
  const { objects } = rig;
  const wrong: string[] = [];
  const leaked = `leaked-ip ${LOST.metadata.name}`;
  const kept = await found(it);
  wrong.push(...expected('while rules lead to it', kept, [leaked]));
  if (kept.some(({ remedy }) => remedy !== null))
    wrong.push('accused: an address that a rule of a gateway leads to is to be removed');
  for (const one of ['fip', 'dnat', 'snat']) {
    const part = partsOf(plan).find(({ metadata }) => metadata.name === `${plan.name}-${one}`)!;
    await objects.remove(part);
    await gone(objects, part);
  }
  wrong.push(...expected('when the rules are gone', await found(it), [leaked]));
  await it.run('steward plan --look --rule leaked-ip --out plan.yaml');
  const applied = await it.run('steward apply plan.yaml');
  if (applied.code !== 0) wrong.push(`apply ended with ${applied.code}: ${applied.stdout}`);
  await gone(objects, LOST).catch((error: unknown) => wrong.push(String(error)));
  return wrong;
}

/** What hangs of these parts is found, each by the rule of its kind, and nothing else is. */
async function hanging(
  { get }: Objects,
  it: Shell,
  parts: readonly Thing[],
  when: string,
): Promise<{ readonly hang: readonly Thing[]; readonly wrong: string[] }> {
  await sleep(FINISHES_MS);
  const hang: Thing[] = [];
  for (const part of parts)
    if ((await get(part.kind, part.metadata.name)) !== undefined) hang.push(part);
  const wanted = hang.map(({ kind, metadata }) => `${STUCK[kind]!} ${metadata.name}`);
  // The records of its own pod, which Kube-OVN keeps for the set, are leaked when the set goes
  // first.
  const others = (await found(it)).filter(
    ({ rule, subject }) => rule !== 'leaked-ip' || !subject.name.startsWith('vpc-nat-gw-'),
  );
  return { hang, wrong: expected(when, others, wanted) };
}

/**
 * Addresses and rules that are deleted while their gateway has no pod, and then no gateway: what
 * the controller cannot take out of it any more (kube-ovn.md, row 58) is freed by the doctor.
 */
async function withoutGateway(
  { rig: { objects }, shell, measured }: Stage,
  plan: GatewayPlan,
): Promise<readonly string[]> {
  const it = shell(AT_ONCE);
  const parts = partsOf(plan);
  await objects.remove(gatewayPod(plan), true);
  for (const part of parts) await objects.remove(part);
  const podless = await hanging(objects, it, parts, 'without its pod');
  measured('parts that hang without the pod', podless.hang.length);
  await endGateway(objects, plan);
  const lost = await hanging(objects, it, parts, 'without the gateway');
  measured('parts that hang without the gateway', lost.hang.length);
  const wrong = [...podless.wrong, ...lost.wrong];
  for (const { kind, metadata } of lost.hang) {
    const freed = await it.run(`steward doctor ${kind}/${metadata.name} --free --yes --by anna`);
    if (freed.code !== 0)
      wrong.push(
        `the doctor of ${kind} ${metadata.name} ended with ${freed.code}: ${freed.stdout}${freed.stderr}`,
      );
    await gone(objects, { kind, metadata }).catch((error: unknown) => wrong.push(String(error)));
  }
  it.close();
  return wrong;
}

export const natGateways: Scenario = {
  name: 'nat-gateways',
  about:
    'An address is kept while a rule of a NAT gateway leads to it, and removed after; addresses and rules that lost their gateway are found as they hang, and freed.',
  async run(stage) {
    const { rig, healthy, shell } = stage;
    const { objects } = rig;
    const it = shell(AT_ONCE);
    const set = await objects.create(statefulSet('tenant', 'lost', 1));
    const lost = pod('tenant', 'lost-0', WORKERS[1], { ownerReferences: [ownerOf(set)] });
    const address = addressOf(await addressed(objects, lost));
    const plan: GatewayPlan = {
      ...{ name: 'gw-lost', vpc: 'blue', subnet: 'blue-a', lanIp: '10.50.0.253' },
      ...{ cidr: '10.50.0.0/24', leadsTo: [address, address] },
    };
    await addGateway(objects, plan);
    const wrong = expected('all made', await found(it), []);
    await lose(rig, set, lost);
    wrong.push(...(await behindRules(rig, it, plan)));
    await removeGateway(objects, plan);
    wrong.push(...(await settles(rig, healthy, 'the gateway is deleted')));

    await addGateway(objects, { ...plan, leadsTo: ['10.50.0.200', '10.50.0.201'] });
    wrong.push(...(await withoutGateway(stage, plan)));
    it.close();
    await rig.restartController(COLLECTS_EVERY);
    wrong.push(...(await settles(rig, healthy, 'freed, and the controller started')));
    return wrong;
  },
};
