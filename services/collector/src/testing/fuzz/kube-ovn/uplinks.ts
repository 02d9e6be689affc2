import { operation as op } from '@ovn-steward/ovsdb';
import { alive, type Cluster, rowNamed } from '../cluster';
import { UPLINK, VLAN } from '../create-external';
import type { Controller, Handler, Job } from './controller';

/** The tag of the uplink; 0 stands for none. */
export function tagOf(cluster: Cluster): number | undefined {
  const [, row] = rowNamed(cluster, 'Logical_Switch_Port', UPLINK) ?? [];
  if (row === undefined) return undefined;
  return typeof row['tag'] === 'number' ? row['tag'] : 0;
}

/** What the Vlan asks for; undefined where there is none. */
export function wantedTag(cluster: Cluster): number | undefined {
  const vlan = cluster.objects.get('Vlan', undefined, VLAN);
  return alive(vlan) ? (vlan['spec'] as { id: number }).id : undefined;
}

export function putTag(cluster: Cluster, tag: number): void {
  const [uuid] = rowNamed(cluster, 'Logical_Switch_Port', UPLINK) ?? [];
  if (uuid === undefined || tagOf(cluster) === tag) return;
  cluster.write(
    op.update('Logical_Switch_Port', op.byUuid(uuid), { tag: tag === 0 ? op.set([]) : tag }),
  );
  cluster.diary.push(`the uplink has tag ${tag}`);
}

/** The tag follows an update of the Vlan, and nothing else (kube-ovn.md row 78). */
function* follow({ cluster }: Controller): Job {
  const wanted = wantedTag(cluster);
  if (wanted === undefined || wanted === tagOf(cluster)) return;
  putTag(cluster, wanted);
  yield;
}

export const uplinks: Handler = (controller, event) => {
  if (event.is === 'all') return;
  const { uid } = event.object.metadata;
  if (event.is === 'now' && controller.vlans.has(uid))
    controller.enqueueOnce(`vlan ${uid}`, () => follow(controller));
  // What it hears of first, at a start too, was made before.
  controller.vlans.add(uid);
};
