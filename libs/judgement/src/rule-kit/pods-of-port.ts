import { isAlive, podNetworks } from '../kube-ovn/pod-networks';
import { podsByMachine } from '../relations/pods-by-machine';
import type { Entity } from '../world/entity';
import type { View } from './view';

/**
 * The living pods whose port it is: the one that its key `pod` names, or the launchers of the
 * machine it names (kube-ovn.md §2, §3.1).
 */
export function podsOfPort(
  { name, object }: Entity<'Logical_Switch_Port'>,
  view: View<'Pod'>,
): Entity<'Pod'>[] {
  const key = object.external_ids?.['pod'] ?? '';
  if (key === '') return [];
  const named = new Set([view.get('Pod', key), ...view.related(podsByMachine, key)]);
  return [...named].filter(
    (pod): pod is Entity<'Pod'> =>
      pod !== undefined &&
      isAlive(pod) &&
      podNetworks(pod).some(({ portName }) => portName === name),
  );
}
