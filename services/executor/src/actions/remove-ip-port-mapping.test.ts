import { operation } from '@ovn-steward/ovsdb';
import { inMemory } from '../testing/action-beds';
import { GROUND } from '../testing/plants';
import { on } from '../testing/running-action';
import { describeAction } from './action.contract';
import removeIpPortMapping from './remove-ip-port-mapping';
import { plant } from './testing/remove-ip-port-mapping';

describeAction(removeIpPortMapping, inMemory(plant));

test('refuses when the port is made meanwhile', async () => {
  const made = [
    operation.insertNamed(
      'Logical_Switch_Port',
      {
        name: 'gone-0.planted',
        external_ids: operation.map([
          ['vendor', 'kube-ovn'],
          ['ls', 'planted-net'],
          ['pod', 'planted/gone-0'],
        ]),
      },
      'made',
    ),
    operation.mutate('Logical_Switch', operation.byUuid(GROUND.switch), [
      ['ports', 'insert', operation.named('made')],
    ]),
  ];
  await on(inMemory(plant), removeIpPortMapping, ({ refusesAfter }) => refusesAfter(made));
});
