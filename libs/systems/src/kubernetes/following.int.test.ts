import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { realKubernetes } from '../testing/real-kubernetes';
import { describeFollowing } from './following.contract';

describeWith(kubernetes, 'on kube-apiserver', () =>
  describeFollowing('a Kubernetes API server, followed', () => realKubernetes()),
);
