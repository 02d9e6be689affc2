import { operation } from '@ovn-steward/ovsdb';
import { inMemory } from '../testing/action-beds';
import { GROUND } from '../testing/plants';
import { on } from '../testing/running-action';
import { describeAction } from './action.contract';
import deleteLoadBalancerHealthCheck from './delete-load-balancer-health-check';
import { plant } from './testing/delete-load-balancer-health-check';

const bench = inMemory(plant);

describeAction(deleteLoadBalancerHealthCheck, bench);

test('refuses when an address comes to the balancer meanwhile', async () => {
  const back = operation.mutate('Load_Balancer', operation.byUuid(GROUND.balancer), [
    ['vips', 'insert', operation.map([['10.99.9.9:80', '10.99.0.2:8080']])],
  ]);
  await on(bench, deleteLoadBalancerHealthCheck, ({ refusesAfter }) => refusesAfter([back]));
});
