import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { onRealServer } from '../testing/real-action-bed';
import { describeAction } from './action.contract';
import { EXECUTOR_ACTIONS } from './registry';

jest.setTimeout(120_000);

describeWith(ovn, 'on a real ovsdb-server,', () => {
  for (const action of EXECUTOR_ACTIONS.filter((it) => it.on === 'ovn-nb'))
    describeAction(action, onRealServer(action.id));
});
