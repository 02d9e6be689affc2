import { applyObjects } from '@ovn-steward/testbed/kubernetes/apply';
import { startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { startNorthd } from '@ovn-steward/testbed/northd';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { makeScratch, removeScratch } from '@ovn-steward/testbed/run/guard';
import { type Objects, objectsOf } from '../incidents/actor/objects';
import { type Account, ACCOUNTS, grantAccounts, kubeconfigOf } from './accounts';
import { addNode, addNodes, CHASSIS, populate } from './cluster';
import { type Controller, startController } from './controller';
import { startExecServer } from './exec';
import { addGateway, addOutside, blueGateway, GATEWAY_SETTINGS } from './gateways';
import { startKubelet } from './kubelet';
import { otherDefinitions } from './other-definitions';
import type { Provided } from './provided';

/**
 * A real API server, OVN 25.03 and Kube-OVN's own controller, with a healthy cluster in them.
 * Nothing carries packets.
 */
export interface Rig {
  readonly objects: Objects;
  /** Of ovn-steward, to reach it. */
  readonly settings: Readonly<Record<string, unknown>>;
  /**
   * The same, for the chart's account of an executor that enforces; only where rights are checked.
   */
  readonly settingsOfExecutor: Readonly<Record<string, unknown>>;
  /** Of the chart's accounts, likewise. */
  readonly kubeconfigs: Readonly<Record<Account, string>>;
  /** Of the two databases of OVN. */
  readonly remotes: { readonly nb: string; readonly sb: string };
  /** ovn-nbctl of the Northbound. */
  nbctl(...words: string[]): Promise<string>;
  /** ovn-sbctl of the Southbound. */
  sbctl(...words: string[]): Promise<string>;
  /** Adds a node whose chassis is known, as kubelet and ovn-controller of it would. */
  addNode(node: string): Promise<void>;
  /** Nothing runs on that node any more, and nothing lets go of its ports. */
  killNode(node: string): void;
  /**
   * Stops the controller, and starts it with that interval between collections, in seconds; not
   * again where none is given.
   */
  restartController(gcInterval?: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param gcInterval of the controller, in seconds. Ready in about half a minute.
 * @param rights whether the API server checks them, and the chart's accounts exist.
 */
export async function startRig(
  given: Provided,
  gcInterval: number,
  { rights = false }: { readonly rights?: boolean } = {},
): Promise<Rig> {
  const nb = await startOvnStandalone({ newer: true });
  const sb = await startOvnStandalone({ newer: true, schema: 'sb' });
  await nb.nbctl('init');
  const northd = await startNorthd({ nb: nb.unixRemote, sb: sb.unixRemote, newer: true });
  const kubernetes = await startKubernetes(
    rights ? { rbac: true, users: Object.values(ACCOUNTS) } : {},
  );
  await applyObjects(kubernetes.api, [
    ...given.definitions,
    ...otherDefinitions,
    ...GATEWAY_SETTINGS,
  ]);
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
  const kubeconfigs = {
    executor: kubeconfigOf('executor', kubernetes, folder),
    collector: kubeconfigOf('collector', kubernetes, folder),
  };
  const exec = await startExecServer();
  await addNodes(objects, sb.nbctl, exec.port);
  const kubelet = startKubelet(objects, CHASSIS, sb.nbctl);
  let controller: Controller | undefined;
  const stop = async (): Promise<void> => {
    await kubelet.stop();
    await controller?.stop();
    await exec.stop();
    await kubernetes.stop();
    await northd.stop();
    await sb.stop();
    await nb.stop();
    removeScratch(folder);
  };
  const systems = {
    cluster: 'rig',
    ovnNb: { remote: nb.remote },
    ovnSb: { remote: sb.remote },
  };
  try {
    if (rights) await grantAccounts(kubernetes);
    controller = await start(gcInterval);
    await populate(objects);
    await addOutside(objects);
    await addGateway(objects, await blueGateway(objects));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    objects,
    settings: { ...systems, kubernetes: { kubeconfig: kubernetes.kubeconfig } },
    settingsOfExecutor: { ...systems, kubernetes: { kubeconfig: kubeconfigs.executor } },
    kubeconfigs,
    remotes: { nb: nb.remote, sb: sb.remote },
    nbctl: nb.nbctl,
    sbctl: sb.nbctl,
    addNode: (node) => addNode(objects, sb.nbctl, exec.port, node),
    killNode: (node) => kubelet.die(node),
    async restartController(interval) {
      await controller?.stop();
      controller = interval === undefined ? undefined : await start(interval);
    },
    stop,
  };
}
