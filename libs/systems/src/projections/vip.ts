import { specSubnetWriters } from './field-writers';
import { annotationNames, metadataWith } from './metadata';
import { open, record, text, texts } from './shape';

/**
 * kube-ovn.md §1, Vip. Older versions have a `ready` and a `pmac`; no rule reads them. Kube-OVN
 * annotates none, so any annotation shows that another program or a person made it: all their names
 * are kept, and the values of none but those we keep everywhere. What `kubectl create` makes has
 * none either: only its managed fields tell it from the controller's.
 */
export const vip = record(
  {
    metadata: metadataWith({ annotations: annotationNames, managedFields: specSubnetWriters }),
    spec: open({
      subnet: text,
      namespace: text,
      type: text,
      v4ip: text,
      v6ip: text,
      macAddress: text,
      selector: texts,
      attachSubnets: texts,
    }),
    status: record({ v4ip: text, v6ip: text, mac: text, type: text }),
  },
  ['metadata'],
);
