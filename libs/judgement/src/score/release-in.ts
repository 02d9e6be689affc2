import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import type { Entity } from '../world/entity';
import type { World } from '../world/world';

/**
 * Which release of Kube-OVN is at work: by the image of its controller, else by what it wrote into
 * `NB_Global`; undefined where neither says it.
 */
export function releaseIn(world: World): string | undefined {
  for (const controller of world.related(kubeOvnControllers.id, KUBE_OVN_CONTROLLER)) {
    const release =
      controller.kind === 'Deployment'
        ? (controller as Entity<'Deployment'>).object.spec?.template?.spec?.release
        : undefined;
    if (release !== undefined && release !== '') return release;
  }
  for (const { object } of world.entities('NB_Global')) {
    const { external_ids: ids } = object as {
      readonly external_ids?: Readonly<Record<string, string>>;
    };
    const version = ids?.['kube-ovn-version'] ?? '';
    if (version !== '') return version;
  }
  return undefined;
}
