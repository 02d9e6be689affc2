import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import type { Release } from '../kube-ovn/release';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { releaseOfRunning } from '../rule-kit/controller-release';
import type { World } from '../world/world';

/** Kube-OVN's controller, as who finishes deletions. */
export interface Controller {
  /**
   * Whether it is there to finish what it can; unknown while what would run it was not read
   * completely.
   */
  readonly is: 'there' | 'gone' | 'unknown';
  /** Which release it is of, where the cluster says it. */
  readonly release: Release | undefined;
}

export function controllerIn(world: World): Controller {
  const running = world.related(kubeOvnControllers.id, KUBE_OVN_CONTROLLER);
  const absent = CONTROLLER_KINDS.every((it) => world.knows(it)) ? 'gone' : 'unknown';
  return { is: running.length > 0 ? 'there' : absent, release: releaseOfRunning(running) };
}
