import type { Shell } from '../../support/shell';
import {
  addEgressGateway,
  egressGateway,
  type EgressPlan,
  removeWorkload,
  rowsOf,
} from '../egress-gateways';
import type { Rig } from '../rig';
import { expected, found } from './found';
import { COLLECTS_EVERY, type Stage } from './scenario';

/** Tables with rows of it, each with the rule that names them when it is gone. */
const RULES = {
  Logical_Router_Policy: 'orphaned-logical-router-policy',
  Address_Set: 'orphaned-address-set',
  Port_Group: 'orphaned-port-group',
  BFD: 'orphaned-bfd',
} as const;

/**
 * A gateway whose finalizer somebody takes off while the controller is away: nothing cleans up
 * after it, also not the next start. Its rows are found, each by the rule of its kind, and removed;
 * the sessions when no policy follows them any more.
 */
export async function lostEgressGateway(
  { rig, measured }: Stage,
  plan: EgressPlan,
  shell: Shell,
): Promise<readonly string[]> {
  await addEgressGateway(rig.objects, plan);
  await rig.restartController();
  await forceAway(rig, plan);
  await rig.restartController(COLLECTS_EVERY);
  const wrong: string[] = [];
  for (const tables of [['Logical_Router_Policy', 'Address_Set', 'Port_Group'], ['BFD']] as const) {
    const left = await found(shell);
    for (const table of tables) {
      const count = (await rowsOf(rig, plan, table)).length;
      measured(`rows left in ${table}`, count);
      const named = left.filter(({ rule }) => rule === RULES[table]).length;
      if (named !== count) wrong.push(`not found: ${count - named} rows in ${table}`);
    }
    await shell.run(`steward plan --look --out ${tables[0]}.yaml`);
    const applied = await shell.run(`steward apply ${tables[0]}.yaml`);
    if (applied.code !== 0) wrong.push(`apply ended with ${applied.code}: ${applied.stdout}`);
  }
  return [...wrong, ...expected('what it left is removed', await found(shell), [])];
}

/** Deletes it without its controller, and takes its finalizer off. */
async function forceAway({ objects }: Rig, plan: EgressPlan): Promise<void> {
  await objects.remove({ kind: 'VpcEgressGateway', metadata: plan });
  const is = (await egressGateway(objects, plan))!;
  const metadata = { ...is.metadata, finalizers: [] };
  await objects.write({ ...is, kind: 'VpcEgressGateway', metadata });
  await removeWorkload(objects, plan);
}
