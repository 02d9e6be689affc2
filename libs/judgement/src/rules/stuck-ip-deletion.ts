import { portsByName } from '../relations/ports-by-name';
import { CONTROLLER_KINDS, controllerGone, controllerIsGone } from '../world/controller';
import { held } from '../world/deletion';
import type { Entity } from '../world/entity';
import { STAYS_TAKEN, withoutFinalizer } from '../world/last-finalizer';
import { removingLeft } from '../world/left-row';
import { stuckDeletion } from '../world/stuck-deletion';
import type { View } from '../world/view';
import { absentRow, defineRule } from './rule';

/**
 * An IP object that was told to go. The controller removes the port of that name, then the finalizer; an update that
 * came together with the deletion is dropped until its next start (kube-ovn.md §6.2, row 35).
 */
export default defineRule({
  id: 'stuck-ip-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'IP',
  reads: ['Subnet', 'Logical_Switch_Port'],
  consults: [...CONTROLLER_KINDS],
  about: 'An IP object that does not finish its deletion, so its address stays taken and its subnet cannot go.',
  remedy: 'strip-finalizer',

  check(ip, view) {
    const ports = view.related(portsByName, ip.name);
    const blockers = () => {
      const subnet = ip.object.spec?.subnet ?? '';
      const gone = subnet !== '' && view.presence('Subnet', subnet) === 'absent' ? [{ because: `its Subnet ${subnet} no longer exists` }] : [];
      return [...gone, ...held('its port has not been removed', ports)];
    };
    return stuckDeletion(ip, blockers, () => {
      if (ports.length === 0) return withoutFinalizer(ip, [absentRow('Logical_Switch_Port', ip.name)], STAYS_TAKEN);
      if (isUsed(ip, view) || !controllerIsGone(view)) return undefined;
      return removingLeft(ports, view, controllerGone, 'its IP is being deleted and no Kube-OVN controller is left to do it');
    });
  },
});

/** Whether the pod it was made for is there: it has the address as long as it runs, whatever becomes of the record. */
function isUsed(ip: Entity<'IP'>, view: View<'Pod'>): boolean {
  const { podName = '', namespace = '' } = ip.object.spec ?? {};
  return podName !== '' && namespace !== '' && view.presence('Pod', `${namespace}/${podName}`) !== 'absent';
}
