import { subnetWriters } from './annotation-writers';
import { metadataWith } from './metadata';
import { flag, list, record, text } from './shape';

/**
 * What tells whether a pod is alive (kube-ovn pkg/controller/pod.go, isPodAlive: phase, reason, restart policy, deletion), where it runs and
 * which addresses it has, who wrote which subnet it is in; the names of the gates that keep it from being scheduled. Containers, environment and volumes never leave the API server's answer.
 */
export const pod = record(
  {
    metadata: metadataWith({ managedFields: subnetWriters }),
    spec: record({
      nodeName: text,
      hostNetwork: flag,
      restartPolicy: text,
      schedulingGates: list(record({ name: text })),
    }),
    status: record({ phase: text, reason: text, podIP: text, podIPs: list(record({ ip: text })) }),
  },
  ['metadata'],
);
