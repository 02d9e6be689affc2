import { guardedVpcs } from '@ovn-steward/guard/free-vpcs';
import { installPolicy } from '@ovn-steward/guard/install';
import { POLICIES } from '@ovn-steward/guard/policies/registry';
import { policyStateOf } from '@ovn-steward/guard/policy-state';
import { GATE } from '@ovn-steward/shared/pod-gate';
import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { takeAway } from './take-away';

const signal = new AbortController().signal;

test('a gate that may not be lifted is named, and all else is taken away', async () => {
  const kubernetes = memoryKubernetes();
  const policy = () => policyStateOf(POLICIES[0]!, kubernetes, signal);
  await installPolicy(await policy(), kubernetes, signal);
  kubernetes.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-0', namespace: 'shop' },
    spec: { schedulingGates: [{ name: GATE }] },
  });
  kubernetes.put({
    apiVersion: 'kubeovn.io/v1',
    kind: 'Vpc',
    metadata: { name: 'v', finalizers: [VPC_GUARD] },
  });
  kubernetes.forbidden.add('patch Pod');
  const removal = {
    policies: [await policy()],
    guarded: ['v'],
    waiting: [],
    held: ['shop/web-0'],
  };
  expect(await takeAway(removal, kubernetes, signal)).toEqual({
    freed: [{ name: 'v' }],
    refusedGates: [expect.stringContaining('shop/web-0: we may not patch Pod')],
  });
  expect([(await policy()).is, await guardedVpcs(kubernetes, signal)]).toEqual(['absent', []]);
});
