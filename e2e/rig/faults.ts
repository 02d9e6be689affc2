import type { Thing } from '../incidents/actor/objects';
import { addressed, ownerOf, pod, service, statefulSet, WORKERS } from './cluster';
import type { Rig } from './rig';

/** One line of a recording's truth.json. */
export interface Entry {
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
const SERVICE = { namespace: 'shop', name: 'lost' };

/** Pods, a policy and a Service that live, until their controller does not see them go. */
export interface Planted {
  /**
   * Stops the controller and deletes them. Gives what stays of them in both systems; the controller
   * is down then.
   */
  lose(): Promise<readonly Entry[]>;
  /** Makes them again, under the same names, while the controller runs. */
  bringBack(): Promise<void>;
  /** Deletes them while the controller runs, and waits until nothing is left of them. */
  remove(): Promise<void>;
}

export async function plant(rig: Rig): Promise<Planted> {
  const { objects, restartController } = rig;
  let { set, pods, vip } = await made(rig);
  const remove = async (): Promise<void> => {
    for (const it of pods) await objects.remove(it, true);
    await objects.remove(set, true);
    await objects.remove({ kind: 'NetworkPolicy', metadata: POLICY });
    await objects.remove({ kind: 'Service', metadata: SERVICE });
  };
  return {
    async lose() {
      const left = await settled(rig);
      await restartController();
      await remove();
      return [...left, ...(await balanced(rig, vip))];
    },
    async bringBack() {
      ({ set, pods, vip } = await made(rig, vip));
    },
    async remove() {
      await remove();
      // Nothing collects what a set leaves: its records are its own to free.
      for (const it of PODS) await objects.remove({ kind: 'IP', metadata: { name: `${it}.shop` } });
    },
  };
}

/** @param vip of the Service that was there before; any unless given. */
async function made(
  { objects }: Rig,
  vip?: string,
): Promise<{ readonly set: Thing; readonly pods: readonly Thing[]; readonly vip: string }> {
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
  const wanted = service('shop', 'lost');
  const clusterIP = vip?.split(':')[0];
  const { spec } = await objects.create(
    clusterIP === undefined ? wanted : { ...wanted, spec: { ...wanted.spec, clusterIP } },
  );
  return { set, pods, vip: `${String(spec?.['clusterIP'])}:80` };
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
        expect: 'finding',
        source: 'nb',
        table: 'Load_Balancer',
        uuid,
        name,
        vip,
        why,
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
