import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { defineRelation } from '../world/relation';

/**
 * EndpointSlices by the Service they are of, as `<namespace>/<name>`: Kubernetes names it in a
 * label.
 */
export const slicesByService = defineRelation({
  id: 'slices-by-service',
  kinds: ['EndpointSlice'],
  keys: ({ namespace, object: { metadata } }) => {
    const service = metadata.labels?.['kubernetes.io/service-name'] ?? '';
    return service === '' ? [] : [objectKey(namespace, service)];
  },
});
