import { keyIn, remove } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { dropPort } from './rows';

/**
 * Every port of the machine, and the IP object of its name (kube-ovn.md §5, handleDeleteVM: since
 * v1.14).
 */
function* forget({ cluster, ipam }: Controller, key: string): Job {
  const names = [...cluster.rows('Logical_Switch_Port').values()]
    .filter(
      (row) =>
        keyIn(row['external_ids'], 'pod') === key &&
        keyIn(row['external_ids'], 'vendor') === 'kube-ovn',
    )
    .map((row) => String(row['name']));
  for (const name of names) {
    if (dropPort(cluster, name)) yield;
    const ip = cluster.objects.get('IP', undefined, name);
    if (ip && ip.metadata.deletionTimestamp === undefined) {
      remove(cluster, ip);
      yield;
    }
    ipam.release(name);
  }
}

export const machines: Handler = (controller, event) => {
  if (event.is !== 'gone' || !controller.cluster.release.forgetsMachines) return;
  const { namespace = '', name } = event.object.metadata;
  controller.enqueue(`machine ${namespace}/${name}`, forget(controller, `${namespace}/${name}`));
};
