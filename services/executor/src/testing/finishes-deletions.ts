import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';

/**
 * A controller that is at work: whatever this client has deleted is gone by the time the answer
 * comes, its finalizers done.
 */
export function finishesDeletions(kubernetes: MemoryKubernetes): void {
  const send = kubernetes.delete;
  kubernetes.delete = async (version, signal) => {
    const answer = await send(version, signal);
    if (answer.is === 'terminating')
      kubernetes.remove(version.kind, version.namespace, version.name);
    return answer;
  };
}
