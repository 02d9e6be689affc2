import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { openShell } from '../support/shell';
import { type Entry, plant } from './faults';
import { provided } from './provided';
import { type Rig, startRig } from './rig';

/**
 * Records a healthy cluster of the release that is given, and the same one after things were
 * deleted that its controller did not see go, each with what is true of it, into `clean` and
 * `leaky` of a folder that is not there yet.
 */
export async function recordRig(folder: string): Promise<void> {
  const rig = await startRig(provided(), 20);
  const { ovnSb: _, ...settings } = rig.settings;
  const shell = openShell(settings);
  const record = async (name: string, entries: readonly Entry[]): Promise<void> => {
    mkdirSync(folder, { recursive: true });
    await shell.run(`steward record --out ${join(folder, name)}`);
    const truth = {
      capture: name,
      captured_at: new Date().toISOString(),
      default: 'keep',
      controller_running: name === 'clean',
      entries,
    };
    writeFileSync(join(folder, name, 'truth.json'), `${JSON.stringify(truth, null, 1)}\n`);
  };
  try {
    await portsUp(rig);
    await record('clean', []);
    await record('leaky', await (await plant(rig)).lose());
  } finally {
    shell.close();
    await rig.stop();
  }
}

/** Until every pod's port is bound, as the cluster is when nothing happens. */
const portsUp = ({ nbctl }: Rig): Promise<unknown> =>
  waitFor(
    async () => {
      const down = ['up=false', 'external_ids:pod!=""'];
      return (
        (await nbctl('--bare', '--columns=name', 'find', 'Logical_Switch_Port', ...down)) === ''
      );
    },
    { what: 'the ports of pods to be up', timeoutMs: 60_000 },
  );
