import { portsByName } from '../relations/ports-by-name';
import { CONTROLLER_KINDS, controllerGone, controllerIsGone } from '../world/controller';
import { held } from '../world/deletion';
import { STAYS_TAKEN, withoutFinalizer } from '../world/last-finalizer';
import { removingLeft } from '../world/left-row';
import { stuckDeletion } from '../world/stuck-deletion';
import { absentRow, defineRule } from './rule';

/** A Vip that was told to go: the controller removes its port, which is called as it, or with its namespace behind (kube-ovn.md §3.1), then the finalizer. */
export default defineRule({
  id: 'stuck-vip-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'Vip',
  reads: ['Subnet', 'Logical_Switch_Port'],
  consults: [...CONTROLLER_KINDS],
  about: 'A Vip that does not finish its deletion, so its address stays taken and its subnet cannot go.',
  remedy: 'strip-finalizer',

  check(vip, view) {
    const { subnet = '', namespace = '' } = vip.object.spec ?? {};
    const names = [vip.name, `${vip.name}.${namespace}`];
    const ports = names.flatMap((it) => view.related(portsByName, it));
    const gone = subnet !== '' && view.presence('Subnet', subnet) === 'absent' ? [{ because: `its Subnet ${subnet} no longer exists` }] : [];
    return stuckDeletion(vip, () => [...gone, ...held('its port has not been removed', ports)], () => {
      if (ports.length === 0) return withoutFinalizer(vip, names.map((it) => absentRow('Logical_Switch_Port', it)), STAYS_TAKEN);
      return controllerIsGone(view) ? removingLeft(ports, view, controllerGone, 'its Vip is being deleted and no Kube-OVN controller is left to do it') : undefined;
    });
  },
});
