import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { onRealServer } from '../testing/real-action-bed';
import { describeAction } from './action.contract';
import { EXECUTOR_ACTIONS } from './registry';

describeWith(ovn, 'on a real ovsdb-server,', () => {
  // What was damaged comes back in one transaction of its own (`work/restore-damaged`).
  const removing = EXECUTOR_ACTIONS.filter((it) => it.on === 'ovn-nb' && it.id !== 'restore-rows');
  for (const action of removing) describeAction(action, onRealServer(action.id));
});
