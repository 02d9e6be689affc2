import { defineRelation } from '../world/relation';

/** `<pod or machine>.<namespace>.<definition>.<its namespace>.ovn.<interface>` */
const OF_INTERFACE = /^(.+\.ovn)\.[^.]+$/;

/**
 * Kube-OVN's ports for one of several interfaces on one definition, by their names without that of
 * the interface: so they are called from v1.16 on (pkg/controller/pod.go, getPodAttachmentNet).
 */
export const interfacePorts = defineRelation({
  id: 'interface-ports',
  kinds: ['Logical_Switch_Port'],
  keys: ({ name, object: { external_ids: ids } }) => {
    const stem = OF_INTERFACE.exec(name)?.[1];
    return stem === undefined || ids?.['pod'] === undefined ? [] : [stem];
  },
});
