import { memoryKubernetes } from '../testing/memory-kubernetes';
import { describeFollowing } from './following.contract';

describeFollowing('a Kubernetes API server in memory, followed', async () => {
  const memory = memoryKubernetes();
  memory.notInstalled.add('VirtualMachineInstance');
  return {
    kubernetes: memory,
    notInstalled: 'VirtualMachineInstance',
    put: async (object) => memory.put(object),
    stop: async () => undefined,
    async as() {
      const limited = memory.peer();
      limited.forbidden.add('follow Vpc');
      return limited;
    },
  };
});
