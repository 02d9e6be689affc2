import { applyObjects } from '@ovn-steward/testbed/kubernetes/apply';
import { startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { startNorthd } from '@ovn-steward/testbed/northd';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { makeScratch, removeScratch } from '@ovn-steward/testbed/run/guard';
import { type Objects, objectsOf } from '../incidents/actor/objects';
import { addNodes, CHASSIS, populate } from './cluster';
import { type Controller, startController } from './controller';
import { startKubelet } from './kubelet';
import { otherDefinitions } from './other-definitions';
import type { Provided } from './provided';

/** A real API server, OVN 25.03 and Kube-OVN's own controller, with a healthy cluster in them. Nothing carries packets. */
export interface Rig {
  readonly objects: Objects;
  /** Of ovn-steward, to reach it. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** ovn-nbctl of the Northbound. */
  nbctl(...words: string[]): Promise<string>;
  /** Stops the controller, and starts it with that interval between collections, in seconds; not again where none is given. */
  restartController(gcInterval?: number): Promise<void>;
  stop(): Promise<void>;
}

/** @param gcInterval of the controller, in seconds. Ready in about half a minute. */
export async function startRig(given: Provided, gcInterval: number): Promise<Rig> {
  const nb = await startOvnStandalone({ newer: true });
  const sb = await startOvnStandalone({ newer: true, schema: 'sb' });
  await nb.nbctl('init');
  const northd = await startNorthd({ nb: nb.unixRemote, sb: sb.unixRemote, newer: true });
  const kubernetes = await startKubernetes();
  await applyObjects(kubernetes.api, [...given.definitions, ...otherDefinitions]);
  const objects = objectsOf(kubernetes.api);
  const folder = makeScratch('rig');
  const start = (interval: number): Promise<Controller> =>
    startController({
      binary: given.binary,
      kubeconfig: kubernetes.kubeconfig,
      nb: nb.remote,
      sb: sb.remote,
      folder,
      gcInterval: interval,
    });
  await addNodes(objects, sb.nbctl);
  const kubelet = startKubelet(objects, CHASSIS, sb.nbctl);
  let controller: Controller | undefined;
  const stop = async (): Promise<void> => {
    await kubelet.stop();
    await controller?.stop();
    await kubernetes.stop();
    await northd.stop();
    await sb.stop();
    await nb.stop();
    removeScratch(folder);
  };
  try {
    controller = await start(gcInterval);
    await populate(objects);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    objects,
    settings: {
      cluster: 'rig',
      ovnNb: { remote: nb.remote },
      ovnSb: { remote: sb.remote },
      kubernetes: { kubeconfig: kubernetes.kubeconfig },
    },
    nbctl: nb.nbctl,
    async restartController(interval) {
      await controller?.stop();
      controller = interval === undefined ? undefined : await start(interval);
    },
    stop,
  };
}
