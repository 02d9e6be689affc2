import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/** What binds a router port to chassis, by the port: only ports to the outside have any. */
export const chassisByRouterPort = defineRelation({
  id: 'chassis-by-router-port',
  kinds: ['Gateway_Chassis', 'HA_Chassis_Group'],
  keys: (row) =>
    parentsOf(row)
      .filter((it) => it.kind === 'Logical_Router_Port')
      .map((it) => it.uid),
});
