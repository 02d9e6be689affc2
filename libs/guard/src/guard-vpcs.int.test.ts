import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { realKubernetes } from '@ovn-steward/systems/testing/real-kubernetes';
import { describeGuarding } from './guard-vpcs.contract';

describeWith(kubernetes, 'on kube-apiserver', () =>
  describeGuarding('the guard of Vpcs', () => realKubernetes()),
);
