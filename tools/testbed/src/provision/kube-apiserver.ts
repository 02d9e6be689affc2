import { type GoProgram, goProgramAtHand, provisionGoProgram } from './go-program';
import type { Progress } from './progress';

/** The release that kube-apiserver/go.mod requires; a test holds the two equal. */
export const KUBERNETES_VERSION = 'v1.36.4';

const [, MAJOR = '', MINOR = ''] = /^v(\d+)\.(\d+)/.exec(KUBERNETES_VERSION) ?? [];
const STAMPED = 'k8s.io/component-base/version';

/** Our Go module: a `main` around Kubernetes' own command. */
const API_SERVER: GoProgram = {
  name: 'kube-apiserver',
  version: KUBERNETES_VERSION,
  target: '.',
  stamps: {
    [`${STAMPED}.gitVersion`]: KUBERNETES_VERSION,
    [`${STAMPED}.gitMajor`]: MAJOR,
    [`${STAMPED}.gitMinor`]: MINOR,
  },
  takes: 'about 7 minutes',
  instead: ', or give a cluster by STEWARD_TEST_KUBECONFIG',
};

/** The built server in the cache, if it is there. */
export const apiServerAtHand = (): string | undefined => goProgramAtHand(API_SERVER);

/**
 * Builds kube-apiserver from its Go modules, once for this machine: about five to ten minutes on
 * two cores, 105 MB.
 */
export const provisionApiServer = (progress: Progress): Promise<string> =>
  provisionGoProgram(API_SERVER, progress);
