import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { realKubernetes } from '../testing/real-kubernetes';
import { describeKubernetes } from './kubernetes.contract';

describeWith(kubernetes, 'on kube-apiserver', () =>
  describeKubernetes('a Kubernetes API server', realKubernetes),
);
