import { setTimeout as sleep } from 'node:timers/promises';
import type { Objects, Thing } from '../../incidents/actor/objects';
import type { Shell } from '../../support/shell';
import { endGateway, gatewayPod, gone, type GatewayPlan, partsOf } from '../gateways';
import type { Rig } from '../rig';
import { expected, found, saying } from './found';
import { hang, OF_GATEWAY } from './hanging';
import { AT_ONCE, type Stage } from './scenario';

/** How long the controller gets to finish what it can. */
const FINISHES_MS = 15_000;
const STUCK: Readonly<Record<string, string>> = {
  IptablesEIP: 'stuck-iptables-eip-deletion',
  IptablesFIPRule: 'stuck-iptables-fip-rule-deletion',
  IptablesDnatRule: 'stuck-iptables-dnat-rule-deletion',
  IptablesSnatRule: 'stuck-iptables-snat-rule-deletion',
};

/** Those that are still there. */
async function thereOf({ get }: Objects, parts: readonly Thing[]): Promise<readonly Thing[]> {
  const there = await Promise.all(parts.map(({ kind, metadata }) => get(kind, metadata.name)));
  return parts.filter((_, nth) => there[nth] !== undefined);
}

const stuck = ({ kind, metadata }: Thing): string => `${STUCK[kind]!} ${metadata.name}`;

/**
 * What hangs of these parts is found, each by the rule of its kind, and nothing else is. The
 * controller may finish one at any moment: what hung before and after is to be found, and what hung
 * before may be.
 */
async function hanging(
  objects: Objects,
  shell: Shell,
  parts: readonly Thing[],
  when: string,
): Promise<{ readonly hang: readonly Thing[]; readonly wrong: string[] }> {
  await sleep(FINISHES_MS);
  const before = await thereOf(objects, parts);
  const lines = (await found(shell)).filter((one) => !isOfItsPod(one.subject.name)).map(saying);
  const after = await thereOf(objects, before);
  return {
    hang: after,
    wrong: [
      ...after
        .map(stuck)
        .filter((one) => !lines.includes(one))
        .map((one) => `not found: ${one}, ${when}`),
      ...lines
        .filter((one) => !before.map(stuck).includes(one))
        .map((one) => `accused: ${one}, ${when}`),
    ],
  };
}

/** Frees each by the doctor; the controller may be faster. */
async function free(objects: Objects, shell: Shell, parts: readonly Thing[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const part of parts) {
    const name = `${part.kind}/${part.metadata.name}`;
    const freed = await shell.run(`steward doctor ${name} --free --yes --by anna`);
    const isGone = await gone(objects, part).then(
      () => true,
      () => false,
    );
    if (!isGone)
      wrong.push(
        `${name} stays, and the doctor ended with ${freed.code}: ${freed.stdout}${freed.stderr}`,
      );
  }
  return wrong;
}

const isOfItsPod = (name: string): boolean => name.startsWith('vpc-nat-gw-gw-lost-');

/**
 * The records of a gateway's own pod, which Kube-OVN keeps for its set, are leaked when the set
 * goes first. Before v1.14 no collection takes the one outside of OVN (kube-ovn.md row 24).
 */
async function ofItsPod({ list }: Objects, shell: Shell): Promise<string[]> {
  const kept = (await list('IP')).map(({ metadata }) => metadata.name).filter(isOfItsPod);
  const wrong = expected(
    'of the pod of a gateway that is gone',
    (await found(shell)).filter(({ subject }) => isOfItsPod(subject.name)),
    kept.map((name) => `leaked-ip ${name}`),
  );
  if (kept.length === 0) return wrong;
  await shell.run('steward plan --look --rule leaked-ip --out plan.yaml');
  const applied = await shell.run('steward apply plan.yaml');
  if (applied.code !== 0) wrong.push(`apply ended with ${applied.code}: ${applied.stdout}`);
  return wrong;
}

/** The same parts, of a gateway that never was: without a controller nothing finishes them. */
async function withoutController(rig: Rig, shell: Shell): Promise<string[]> {
  await rig.restartController();
  await hang(rig, OF_GATEWAY);
  const parts = OF_GATEWAY.map(({ kind, name }) => ({ kind, metadata: { name } }));
  const lines = (await found(shell)).map(saying);
  return [
    ...parts
      .map(stuck)
      .filter((one) => !lines.includes(one))
      .map((one) => `not found: ${one}, without a controller`),
    ...(await free(rig.objects, shell, parts)),
  ];
}

/**
 * Addresses and rules that are deleted while their gateway has no pod, and then no gateway: what
 * the controller cannot take out of it any more (kube-ovn.md, row 58) is freed by the doctor.
 */
export async function withoutGateway(
  { rig, shell, measured }: Stage,
  plan: GatewayPlan,
): Promise<readonly string[]> {
  const { objects } = rig;
  const opened = shell(AT_ONCE);
  const parts = partsOf(plan);
  await objects.remove(gatewayPod(plan), true);
  for (const part of parts) await objects.remove(part);
  const podless = await hanging(objects, opened, parts, 'without its pod');
  measured('parts that hang without the pod', podless.hang.length);
  await endGateway(objects, plan);
  const lost = await hanging(objects, opened, parts, 'without the gateway');
  measured('parts that hang without the gateway', lost.hang.length);
  const wrong = [
    ...podless.wrong,
    ...lost.wrong,
    ...(await free(objects, opened, lost.hang)),
    ...(await ofItsPod(objects, opened)),
    ...(await withoutController(rig, opened)),
  ];
  opened.close();
  return wrong;
}
