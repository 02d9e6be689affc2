import type { Action } from '../action-kit/action';
import deleteAcl from './delete-acl';
import deleteAddressSet from './delete-address-set';
import deleteBfd from './delete-bfd';
import deleteDhcpOptions from './delete-dhcp-options';
import deleteHaChassisGroup from './delete-ha-chassis-group';
import deleteIp from './delete-ip';
import deleteIptablesEip from './delete-iptables-eip';
import deleteLoadBalancer from './delete-load-balancer';
import deleteLoadBalancerHealthCheck from './delete-load-balancer-health-check';
import deleteLogicalRouter from './delete-logical-router';
import deleteLogicalRouterPolicy from './delete-logical-router-policy';
import deleteLogicalRouterPort from './delete-logical-router-port';
import deleteLogicalRouterStaticRoute from './delete-logical-router-static-route';
import deleteLogicalSwitch from './delete-logical-switch';
import deleteLogicalSwitchPort from './delete-logical-switch-port';
import deleteMeter from './delete-meter';
import deleteNat from './delete-nat';
import deleteOvnEip from './delete-ovn-eip';
import deletePortGroup from './delete-port-group';
import deleteQos from './delete-qos';
import deleteVip from './delete-vip';
import reallocatePod from './reallocate-pod';
import removeIpPortMapping from './remove-ip-port-mapping';
import removeLoadBalancerVip from './remove-load-balancer-vip';
import removePortGroupMember from './remove-port-group-member';
import restartPod from './restart-pod';
import restoreRows from './restore-rows';
import stripFinalizer from './strip-finalizer';

/** Every action, in the order of their names; a test holds this list equal to the folder. */
export const EXECUTOR_ACTIONS: readonly Action[] = [
  deleteAcl,
  deleteAddressSet,
  deleteBfd,
  deleteDhcpOptions,
  deleteHaChassisGroup,
  deleteIp,
  deleteIptablesEip,
  deleteLoadBalancer,
  deleteLoadBalancerHealthCheck,
  deleteLogicalRouter,
  deleteLogicalRouterPolicy,
  deleteLogicalRouterPort,
  deleteLogicalRouterStaticRoute,
  deleteLogicalSwitch,
  deleteLogicalSwitchPort,
  deleteMeter,
  deleteNat,
  deleteOvnEip,
  deletePortGroup,
  deleteQos,
  deleteVip,
  reallocatePod,
  removeIpPortMapping,
  removeLoadBalancerVip,
  removePortGroupMember,
  restartPod,
  restoreRows,
  stripFinalizer,
];

const byId = new Map(EXECUTOR_ACTIONS.map((it) => [it.id, it]));

/** The action a finding's remedy names; undefined for one this version does not have. */
export const actionOf = (id: string): Action | undefined => byId.get(id);
