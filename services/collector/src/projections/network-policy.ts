import { kubernetesObject } from './metadata';

/** A network policy owns port groups, address sets and ACLs by its name; what it says is the controller's business. */
export const networkPolicy = kubernetesObject({});
