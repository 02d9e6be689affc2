import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Shell } from '../../support/shell';
import { audited } from '../audited';
import type { Rig } from '../rig';
import { controllerDeployment, releaseMissing } from './controller-deployment';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

/** A row that somebody else made, by its name, in each table that some release collects. */
const ROWS = {
  Logical_Switch: 'manual-ls',
  Logical_Router: 'manual-lr',
  Load_Balancer: 'manual-lb',
  Port_Group: 'manual_pg',
  Address_Set: 'manual_as',
} as const;
type Table = keyof typeof ROWS;
const TABLES = Object.keys(ROWS) as Table[];

/** How the finding calls them. */
const CALLED: Readonly<Record<Table, RegExp>> = {
  Logical_Switch: /\d+ switch(?:es)? \(/,
  Logical_Router: /\d+ routers? \(/,
  Load_Balancer: /\d+ load balancers? \(/,
  Port_Group: /\d+ port groups? \(/,
  Address_Set: /\d+ address sets? \(/,
};

async function addRows({ nbctl }: Rig): Promise<void> {
  await nbctl('ls-add', ROWS.Logical_Switch);
  await nbctl('lsp-add', ROWS.Logical_Switch, 'manual-port');
  await nbctl('lr-add', ROWS.Logical_Router);
  await nbctl('lb-add', ROWS.Load_Balancer, '192.0.2.1:80', '192.0.2.2:80');
  await nbctl('pg-add', ROWS.Port_Group, 'manual-port');
  await nbctl('create', 'Address_Set', `name=${ROWS.Address_Set}`, 'addresses=192.0.2.3');
}

const isThere = async ({ nbctl }: Rig, table: Table): Promise<boolean> =>
  (await nbctl('--bare', '--columns=name', 'find', table, `name=${ROWS[table]}`)) !== '';

async function removeRows(rig: Rig): Promise<void> {
  const { nbctl } = rig;
  await nbctl('--if-exists', 'ls-del', ROWS.Logical_Switch);
  await nbctl('--if-exists', 'lr-del', ROWS.Logical_Router);
  await nbctl('--if-exists', 'lb-del', ROWS.Load_Balancer);
  for (const table of ['Port_Group', 'Address_Set'] as const)
    if (await isThere(rig, table)) await nbctl('destroy', table, ROWS[table]);
}

const saidBy = async (shell: Shell): Promise<readonly string[]> => {
  const { findings } = await audited(shell);
  return findings.filter(({ rule }) => rule === 'neighbours-at-risk').map(({ summary }) => summary);
};

export const atRisk: Scenario = {
  name: 'at-risk',
  about:
    'Of rows that others made, exactly those are taken by the controller’s next start that the finding about its flags and its release names.',
  missing: releaseMissing,
  async run({ rig, healthy, shell, measured }) {
    const opened = shell(AT_ONCE);
    await rig.restartController();
    await rig.objects.create(controllerDeployment());
    await addRows(rig);
    const said = await saidBy(opened);
    opened.close();
    await rig.restartController(COLLECTS_EVERY);
    const wrong: string[] = [];
    for (const table of TABLES) {
      const isSaid = said.some((one) => CALLED[table].test(one));
      const isTaken = await waitFor(async () => !(await isThere(rig, table)), {
        what: `${ROWS[table]} to be taken`,
        timeoutMs: isSaid ? 60_000 : 5_000,
      }).catch(() => false);
      measured(`${table} taken`, Number(isTaken !== false));
      if (isSaid && isTaken === false) wrong.push(`accused: ${table} stays: ${said.join('; ')}`);
      if (!isSaid && isTaken !== false)
        wrong.push(`not found: ${table} was taken: ${said.join('; ')}`);
    }
    await rig.objects.remove(controllerDeployment());
    await removeRows(rig);
    wrong.push(...(await settles(rig, healthy, 'without the rows of others')));
    return wrong;
  },
};
