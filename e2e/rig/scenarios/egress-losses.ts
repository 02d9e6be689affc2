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
    // v1.17 has some for IPv6, too, which its pods do not have.
    const [first] = await rowsOf(rig, plan, 'Logical_Router_Policy', 'external_ids:af="4"');
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

/** Waits until what is found is exactly what is missing then, and says what else is. */
async function mended(
  shell: Shell,
  by: string,
  missing: () => Promise<readonly string[]>,
): Promise<string[]> {
  let wrong: string[] = [];
  await waitFor(
    async () => {
      const wanted = (await missing()).map((rule) => `${rule} out`);
      wrong = expected(`after ${by}`, distinct(await foundOf(shell)), wanted);
      return wrong.length === 0;
    },
    { what: by, timeoutMs: 30_000 },
  ).catch(() => undefined);
  return wrong;
}

/**
 * What a start leaves out: in some releases the group, or all policies, which a Vpc's handling takes
 * (kube-ovn.md, row 9). A group that no policy names is not missed.
 */
const leftOut = async (rig: Rig, plan: EgressPlan): Promise<readonly string[]> => {
  const policies = await rowsOf(rig, plan, 'Logical_Router_Policy');
  const groups = await rowsOf(rig, plan, 'Port_Group');
  if (policies.length === 0) return ['vpc-egress-gateway-without-policies'];
  return groups.length === 0 ? [GROUP_MISSING] : [];
};

/**
 * Each loss is found and nothing else, and mended by what the finding advises: any change of the
 * object; and by a start of the controller, but for what that takes itself.
 */
export async function losses(
  { rig, measured }: Stage,
  plan: EgressPlan,
  shell: Shell,
): Promise<string[]> {
  const wrong: string[] = [];
  const taken: string[] = [];
  for (const [rule, lose] of Object.entries(LOSSES)) {
    await rig.restartController();
    await lose(rig, plan);
    wrong.push(
      ...expected('lost while it was down', distinct(await foundOf(shell)), [`${rule} out`]),
    );
    await rig.restartController(COLLECTS_EVERY);
    wrong.push(...(await mended(shell, 'a start', () => leftOut(rig, plan))));
    taken.push(...(await leftOut(rig, plan)));
    await change(rig, plan);
    wrong.push(...(await mended(shell, 'a start and a change', async () => [])));

    await lose(rig, plan);
    wrong.push(...expected('lost', distinct(await foundOf(shell)), [`${rule} out`]));
    await change(rig, plan);
    wrong.push(...(await mended(shell, 'a change', async () => [])));
  }
  const groups = taken.filter((one) => one === GROUP_MISSING).length;
  measured('starts that took the port group', groups);
  measured('starts that took the policies', taken.length - groups);
  if (taken.length > 0 && !takesGroups())
    wrong.push(`${releaseGiven()} took at its start: ${taken.join(', ')}`);
  return wrong;
}

/** Releases whose start takes the group for one of a security group (kube-ovn.md, row 11). */
const takesGroups = (): boolean =>
  /^v1\.(?:14\.\d+|15\.(?:\d|1[0-6])|16\.[0-2])$/.test(releaseGiven());

/** One of each rule and subject: a rule says each part that is missing. */
const distinct = (all: readonly Finding[]): readonly Finding[] => [
  ...new Map(all.map((it) => [`${it.rule} ${it.subject.name}`, it])).values(),
];
