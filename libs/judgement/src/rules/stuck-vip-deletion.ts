import { CLAIMANT_KINDS, RARE_CLAIMANT_KINDS } from '../rule-kit/claimants';
import { CONTROLLER_KINDS, controllerGone, controllerIsGone } from '../rule-kit/controller';
import { held } from '../kube-ovn/deletion';
import { STAYS_TAKEN, withoutFinalizer } from '../rule-kit/last-finalizer';
import { removingLeft } from '../rule-kit/left-row';
import { servedWorkload } from '../rule-kit/served-workload';
import { stuckDeletion } from '../rule-kit/stuck-deletion';
import { hasAddressesOf, isTyped, vipPortNames, vipPorts } from '../rule-kit/vip-ports';
import { defineRule } from '../rule-kit/rule';
import { absentRow, unclaimed } from '../rule-kit/facts';

/**
 * A Vip that is being deleted: the controller removes its port, which is called as it, or with its
 * namespace behind (kube-ovn.md §3.1), then the finalizer. A port that serves a workload of that
 * name, or has other addresses than the Vip, is not its.
 */
export default defineRule({
  id: 'stuck-vip-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'Vip',
  reads: ['Subnet', 'Logical_Switch_Port'],
  consults: [...new Set([...CONTROLLER_KINDS, ...CLAIMANT_KINDS, ...RARE_CLAIMANT_KINDS])],
  about:
    'A Vip that does not finish its deletion, so its address stays taken and its subnet cannot be deleted.',
  remedy: 'strip-finalizer',

  check(vip, view) {
    const { subnet = '', namespace = '', type = '' } = vip.object.spec ?? {};
    const ports = vipPorts(vip, view);
    // Only of a typed one the controller reads the Subnet, to know what its port is called.
    const gone =
      type !== '' && subnet !== '' && view.presence('Subnet', subnet) === 'absent'
        ? [{ because: `its Subnet ${subnet} no longer exists` }]
        : [];
    return stuckDeletion(
      vip,
      view,
      () => [...gone, ...held('its port has not been removed', ports)],
      () => {
        if (ports.length === 0) {
          // Without keys and without its subnet nobody knows what its port is called.
          if (isTyped(vip) && namespace === '' && view.get('Subnet', subnet) === undefined)
            return undefined;
          const none = vipPortNames(vip, view).map((it) => absentRow('Logical_Switch_Port', it));
          return withoutFinalizer(
            vip,
            view,
            isTyped(vip)
              ? [
                  ...none,
                  unclaimed('Logical_Switch_Port', 'external_ids[pod]', `${namespace}/${vip.name}`),
                ]
              : none,
            STAYS_TAKEN,
            gone.length === 0,
          );
        }
        const areItsOwn =
          controllerIsGone(view) &&
          ports.every((it) => hasAddressesOf(it, vip) && servedWorkload(it, view) === undefined);
        return areItsOwn
          ? removingLeft(
              ports,
              view,
              controllerGone,
              'its Vip is being deleted and no Kube-OVN controller is left to do it',
            )
          : undefined;
      },
    );
  },
});
