import { kubernetesObject } from './metadata';
import { open, text } from './shape';

/** `config` is the CNI configuration as JSON text; it names the type and the address management (kube-ovn.md §2, provider string). */
export const networkAttachmentDefinition = kubernetesObject({ spec: open({ config: text }) });
