import { KubeConfig } from '@kubernetes/client-node/dist/config.js';

export type { KubeConfig };

/**
 * A configuration of client-node's that knows no cluster yet. The package loads 900 generated
 * modules with it, which cost 0.6 s of processor time and 55 MB: the build puts a bundle in the
 * place of this module (`bundle-kube-config.cjs`), in which they are left out.
 */
export const emptyKubeConfig = (): KubeConfig => new KubeConfig();
