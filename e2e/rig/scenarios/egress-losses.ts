import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Shell } from '../../support/shell';
import { audited } from '../audited';
import { egressGateway, type EgressPlan, rowsOf } from '../egress-gateways';
import { releaseGiven } from '../provided';
import type { Rig } from '../rig';
import { expected } from './found';
import { COLLECTS_EVERY, type Stage } from './scenario';

/** All that is found; nothing here carries packets, so that no session of BFD comes up. */
export const foundOf = async (shell: Shell): Promise<readonly Finding[]> =>
  (await audited(shell)).findings.filter(({ rule }) => rule !== 'bfd-session-down');

const GROUP_MISSING = 'vpc-egress-gateway-without-port-group';

/** What is lost of it, by the finding that says so. */
const LOSSES: Readonly<Record<string, (rig: Rig, plan: EgressPlan) => Promise<unknown>>> = {
  'vpc-egress-gateway-policy-missing': async (rig, plan) => {
    const [first] = await rowsOf(rig, plan, 'Logical_Router_Policy');
    await rig.nbctl('lr-policy-del', plan.vpc, first!);
  },
  'vpc-egress-gateway-without-policies': async (rig, plan) => {
    for (const it of await rowsOf(rig, plan, 'Logical_Router_Policy'))
      await rig.nbctl('lr-policy-del', plan.vpc, it);
  },
  'vpc-egress-gateway-source-missing': async (rig, plan) => {
    for (const it of await rowsOf(rig, plan, 'Address_Set'))
      await rig.nbctl('clear', 'Address_Set', it, 'addresses');
  },
  [GROUP_MISSING]: async (rig, plan) => {
    for (const it of await rowsOf(rig, plan, 'Port_Group'))
      await rig.nbctl('destroy', 'Port_Group', it);
  },
};

/** A change of the object, which asks for nothing else. */
async function change({ objects }: Rig, plan: EgressPlan): Promise<void> {
  const is = (await egressGateway(objects, plan))!;
  const annotations = { ...is.metadata.annotations, 'changed-at': `${Date.now()}` };
  await objects.write({
    ...is,
    kind: 'VpcEgressGateway',
    metadata: { ...is.metadata, annotations },
  });
}

/** Waits until nothing is found but that, and says what else is. */
async function mended(it: Shell, by: string, wanted: readonly string[]): Promise<string[]> {
  let wrong: string[] = [];
  await waitFor(
    async () => (wrong = expected(`after ${by}`, distinct(await foundOf(it)), wanted)).length === 0,
    { what: by, timeoutMs: 30_000 },
  ).catch(() => undefined);
  return wrong;
}

/**
 * Each loss is found and nothing else, and mended by what the finding advises: a start of the
 * controller, which in some releases takes the port group, or any change of the object.
 */
export async function losses(
  { rig, measured }: Stage,
  plan: EgressPlan,
  it: Shell,
): Promise<string[]> {
  const wrong: string[] = [];
  let starts = 0;
  for (const [rule, lose] of Object.entries(LOSSES)) {
    await rig.restartController();
    await lose(rig, plan);
    wrong.push(...expected('lost while it was down', distinct(await foundOf(it)), [`${rule} out`]));
    await rig.restartController(COLLECTS_EVERY);
    const isTaken = takesGroups();
    wrong.push(...(await mended(it, 'a start', isTaken ? [`${GROUP_MISSING} out`] : [])));
    starts += Number((await rowsOf(rig, plan, 'Port_Group')).length === 0);
    if (isTaken) await change(rig, plan);
    wrong.push(...(await mended(it, `a start${isTaken ? ' and a change' : ''}`, [])));

    await lose(rig, plan);
    wrong.push(...expected('lost', distinct(await foundOf(it)), [`${rule} out`]));
    await change(rig, plan);
    wrong.push(...(await mended(it, 'a change', [])));
  }
  measured('starts that took the port group', starts);
  return wrong;
}

/** Releases whose start takes the group for one of a security group (kube-ovn.md, row 11). */
const takesGroups = (): boolean => /^v1\.(?:15\.(?:\d|1[0-6])|16\.[0-2])$/.test(releaseGiven());

/** One of each rule and subject: a rule says each part that is missing. */
const distinct = (all: readonly Finding[]): readonly Finding[] => [
  ...new Map(all.map((it) => [`${it.rule} ${it.subject.name}`, it])).values(),
];
