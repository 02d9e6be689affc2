import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { openShell } from '../support/shell';
import { addressed, ownerOf, pod, service, statefulSet, WORKERS } from './cluster';
import { provided } from './provided';
import { type Rig, startRig } from './rig';

/** One line of a recording's truth.json. */
interface Entry {
  readonly expect: 'finding';
  readonly source: 'nb' | 'kubernetes';
  readonly table?: string;
  readonly uuid?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly name: string;
  readonly vip?: string;
  readonly why: string;
}

const PODS = ['lost-0', 'lost-1', 'bare'] as const;
const POLICY = { namespace: 'shop', name: 'lost-policy' };

/**
 * Records a healthy cluster of the release that is given, and the same one after things were deleted that its controller did not see go, each with what
 * is true of it, into `clean` and `leaky` of a folder that is not there yet.
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
    await record('leaky', await losing(rig));
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

/** Deletes pods, a policy and a Service while the controller is down. */
async function losing(rig: Rig): Promise<readonly Entry[]> {
  const { objects, restartController } = rig;
  const set = await objects.create(statefulSet('shop', 'lost', 2));
  const pods = PODS.map((name, nth) =>
    pod(
      'shop',
      name,
      WORKERS[nth % 2]!,
      name === 'bare' ? {} : { ownerReferences: [ownerOf(set)] },
    ),
  );
  for (const it of pods) await addressed(objects, it);
  await objects.create({
    kind: 'NetworkPolicy',
    metadata: POLICY,
    spec: { podSelector: { matchLabels: { app: 'lost' } }, policyTypes: ['Ingress'] },
  });
  const made = await objects.create(service('shop', 'lost'));
  const vip = `${String(made.spec?.['clusterIP'])}:80`;
  const left = await settled(rig);
  await restartController();
  for (const it of pods) await objects.remove(it, true);
  await objects.remove(set, true);
  await objects.remove({ kind: 'NetworkPolicy', metadata: POLICY });
  await objects.remove({ kind: 'Service', metadata: { namespace: 'shop', name: 'lost' } });
  return [...left, ...(await balanced(rig, vip))];
}

/** What Kube-OVN made of them, by the names it gives (kube-ovn.md §3.1, §3.4). */
async function settled({ objects, nbctl }: Rig): Promise<Entry[]> {
  const left: Entry[] = [];
  for (const name of PODS.map((it) => `${it}.shop`)) {
    const why = 'its pod was deleted while the controller was down';
    const uuid = (await nbctl('get', 'Logical_Switch_Port', name, '_uuid')).trim();
    const uid = (await objects.get('IP', name))!.metadata.uid!;
    left.push({ expect: 'finding', source: 'nb', table: 'Logical_Switch_Port', uuid, name, why });
    left.push({ expect: 'finding', source: 'kubernetes', kind: 'IP', uid, name, why });
  }
  const why = 'its NetworkPolicy was deleted while the controller was down';
  for (const table of ['Port_Group', 'Address_Set'])
    for (const [uuid, name] of await found(nbctl, table, 'name!=""'))
      if (`${name}.`.startsWith('lost.policy.shop.'))
        left.push({ expect: 'finding', source: 'nb', table, uuid, name, why });
  return left;
}

/** Entries of the deleted Service that balancers have. */
async function balanced({ nbctl }: Rig, vip: string): Promise<Entry[]> {
  const rows = await found(nbctl, 'Load_Balancer', `vips:"${vip}"!=""`);
  const why = 'its Service was deleted while the controller was down';
  return rows.map(
    ([uuid, name]) =>
      ({
        ...{ expect: 'finding', source: 'nb', table: 'Load_Balancer', uuid, name, vip, why },
      }) as Entry,
  );
}

async function found(
  nbctl: Rig['nbctl'],
  table: string,
  condition: string,
): Promise<readonly (readonly [string, string])[]> {
  const words = ['--format=csv', '--data=bare', '--no-headings', '--columns=_uuid,name'];
  return (await nbctl(...words, 'find', table, condition))
    .split('\n')
    .filter((it) => it !== '')
    .map((it) => it.split(',') as [string, string]);
}
