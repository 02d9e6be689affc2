import { kubernetesObject } from './metadata';

/** That there is one: its configuration is another CNI's, and may hold anything. */
export const networkAttachmentDefinition = kubernetesObject({});
