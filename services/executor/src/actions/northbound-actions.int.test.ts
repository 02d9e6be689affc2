import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { plantOf, ROW_ACTIONS } from '../testing/planted';
import { onRealServer } from '../testing/real-action-bed';
import { describeAction } from './action.contract';

describeWith(ovn, 'on a real ovsdb-server,', () => {
  for (const action of ROW_ACTIONS) describeAction(action, onRealServer(plantOf(action.id)));
});
