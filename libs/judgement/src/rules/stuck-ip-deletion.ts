import { portsByName } from '../relations/ports-by-name';
import { held } from '../world/deletion';
import { stuckDeletion } from '../world/stuck-deletion';
import { defineRule } from './rule';

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
  about: 'An IP object that does not finish its deletion, so its address stays taken and its subnet cannot go.',

  check: (ip, view) =>
    stuckDeletion(ip, () => {
      const subnet = ip.object.spec?.subnet ?? '';
      const gone = subnet !== '' && view.presence('Subnet', subnet) === 'absent' ? [{ because: `its Subnet ${subnet} no longer exists` }] : [];
      return [...gone, ...held('its port has not been removed', view.related(portsByName, ip.name))];
    }),
});
