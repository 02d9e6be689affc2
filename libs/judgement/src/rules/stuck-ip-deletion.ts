import { portsByName } from '../relations/ports-by-name';
import { held } from '../world/deletion';
import type { Entity } from '../world/entity';
import { referenceTo } from '../world/entity';
import type { Way } from '../world/stuck-deletion';
import { stuckDeletion } from '../world/stuck-deletion';
import { absentRow, defineRule } from './rule';

/** Kube-OVN's own, today's and that of older releases (kube-ovn.md §1). */
const FINALIZERS = ['kubeovn.io/kube-ovn-controller', 'kube-ovn-controller'];

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
  remedy: 'strip-finalizer',

  check(ip, view) {
    const ports = view.related(portsByName, ip.name);
    const blockers = () => {
      const subnet = ip.object.spec?.subnet ?? '';
      const gone = subnet !== '' && view.presence('Subnet', subnet) === 'absent' ? [{ because: `its Subnet ${subnet} no longer exists` }] : [];
      return [...gone, ...held('its port has not been removed', ports)];
    };
    return stuckDeletion(ip, blockers, () => (ports.length > 0 ? undefined : withoutFinalizer(ip)));
  },
});

function withoutFinalizer(ip: Entity<'IP'>): Way | undefined {
  const finalizer = FINALIZERS.find((it) => ip.object.metadata.finalizers?.includes(it));
  if (finalizer === undefined) return undefined;
  return {
    proof: [absentRow('Logical_Switch_Port', ip.name)],
    remedy: {
      action: 'strip-finalizer', target: referenceTo(ip, { column: 'metadata.finalizers', key: finalizer }),
      advice: `restart the Kube-OVN controller, which then finishes the deletion; only if it does not, remove the finalizer ${finalizer}: the address stays taken in the controller's memory until its next start`,
    },
  };
}
