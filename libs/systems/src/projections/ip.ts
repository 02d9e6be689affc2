import { kubernetesObject } from './metadata';
import { open, text, texts } from './shape';

/**
 * One address of one interface; it has no status. Deleting it deletes the port of the same name
 * (kube-ovn.md §6.2).
 */
export const ip = kubernetesObject({
  spec: open({
    podName: text,
    namespace: text,
    subnet: text,
    nodeName: text,
    ipAddress: text,
    v4IpAddress: text,
    v6IpAddress: text,
    macAddress: text,
    podType: text,
    attachSubnets: texts,
    attachIps: texts,
    attachMacs: texts,
    containerID: text,
  }),
});
