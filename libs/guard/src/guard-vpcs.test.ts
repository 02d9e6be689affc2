import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { describeGuarding } from './guard-vpcs.contract';

describeGuarding('in memory', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.notInstalled.add('VirtualMachineInstance');
  return {
    kubernetes,
    put: async (object) => kubernetes.put(object),
    remove: (kind, namespace, name) => kubernetes.remove(kind, namespace, name),
    notes: async (_, name) =>
      kubernetes.events.filter((it) => it.regarding.name === name).map((it) => it.note),
    stop: async () => undefined,
  };
});
