import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import { podSubnetWriters } from './field-writers';
import { metadataWith } from './metadata';
import { flag, integer, list, record, type Shape, text } from './shape';

/**
 * How the containers of Kube-OVN's controller fare: whether one waits to be started again, since
 * when it runs, and why it ended and after how long.
 */
const containerStatuses = list(
  record({
    name: text,
    ready: flag,
    restartCount: integer,
    state: record({ waiting: record({ reason: text }), running: record({ startedAt: text }) }),
    lastState: record({
      terminated: record({ exitCode: integer, reason: text, startedAt: text, finishedAt: text }),
    }),
  }),
);

const read = record(
  {
    metadata: metadataWith({ managedFields: podSubnetWriters }),
    spec: record({
      nodeName: text,
      hostNetwork: flag,
      restartPolicy: text,
      schedulingGates: list(record({ name: text })),
    }),
    status: record({
      phase: text,
      reason: text,
      podIP: text,
      podIPs: list(record({ ip: text })),
      containerStatuses,
    }),
  },
  ['metadata'],
);

interface Read {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly status?: { readonly containerStatuses?: unknown };
}

/**
 * What shows whether a pod is alive (kube-ovn pkg/controller/pod.go, isPodAlive: phase, reason,
 * restart policy, deletion), where it runs and which addresses it has, who wrote which subnet it is
 * in; the names of the gates that keep it from being scheduled. Of Kube-OVN's controller alone also
 * how often its containers ended. Containers, environment and volumes never leave the API server's
 * answer.
 */
export const pod: Shape = (value) => {
  const kept = read(value) as Read;
  const { name, labels } = kept.metadata;
  if (kept.status?.containerStatuses === undefined) return kept;
  if (name.startsWith(KUBE_OVN_CONTROLLER) || labels?.['app'] === KUBE_OVN_CONTROLLER) return kept;
  const { containerStatuses: _, ...status } = kept.status;
  return { ...kept, status };
};
