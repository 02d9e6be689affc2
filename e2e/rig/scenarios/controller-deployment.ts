import type { Thing } from '../../incidents/actor/objects';
import { RELEASE, releaseGiven } from '../provided';
import { COLLECTS_EVERY } from './scenario';

/**
 * The controller as a cluster says it: with the tag of its release, and no flag that spares
 * anybody.
 */
export const controllerDeployment = (): Thing => ({
  kind: 'Deployment',
  metadata: { namespace: 'kube-system', name: 'kube-ovn-controller' },
  spec: {
    selector: { matchLabels: { app: 'kube-ovn-controller' } },
    template: {
      metadata: { labels: { app: 'kube-ovn-controller' } },
      spec: {
        containers: [
          {
            name: 'kube-ovn-controller',
            image: `docker.io/kubeovn/kube-ovn:${releaseGiven()}`,
            args: ['/kube-ovn/start-controller.sh', `--gc-interval=${COLLECTS_EVERY}`],
          },
        ],
      },
    },
  },
});

/** Why a scenario that hangs on the release cannot be played; undefined where it is given. */
export const releaseMissing = (): string | undefined =>
  /^v\d+\.\d+\.\d+$/.test(releaseGiven())
    ? undefined
    : `set ${RELEASE} to the release that the controller is of, such as v1.15.24`;
