import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { realKubernetes } from '@ovn-steward/systems/testing/real-kubernetes';
import { describeInstalling } from './install.contract';

describeWith(kubernetes, 'on kube-apiserver', () =>
  describeInstalling('policies', () => realKubernetes()),
);
