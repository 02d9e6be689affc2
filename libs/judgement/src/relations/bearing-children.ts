import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/**
 * By parent: the strong children that can hold rows themselves. Switch ports are left out unless
 * they do, so that reading below a switch does not visit its 65,000 ports.
 */
export const bearingChildren = defineRelation({
  id: 'bearing-children',
  kinds: 'ovn-nb',
  keys: (row) => {
    const port =
      row.kind === 'Logical_Switch_Port' &&
      row.object['ha_chassis_group'] === undefined &&
      row.object['health_checks'] === undefined;
    return port ? [] : parentsOf(row).map((it) => it.uid);
  },
});
