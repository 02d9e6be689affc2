import { openDatabase } from '@ovn-steward/ovsdb';
import { startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { NO_GRACE_SETTINGS } from '@ovn-steward/judgement/testing/grace';
import { lead } from '../../apps/steward/src/testing/lead';
import { openShell, type Shell } from '../support/shell';
import { type Northbound, northboundOf } from './actor/northbound';
import { type Objects, objectsOf } from './actor/objects';

/**
 * No grace: what is seen is confirmed at once, and minutes of waiting are left out. The
 * controller's recorded Lease is not waited for.
 */
const WITHOUT_WAITING = {
  cluster: 'incident',
  grace: NO_GRACE_SETTINGS,
  executor: { yield: { afterLease: '0s' }, guard: { podGates: true } },
};

/**
 * A real ovsdb-server and a real kube-apiserver with a cluster in them, and a person with a shell
 * beside them.
 */
export interface Stage extends Omit<Shell, 'close'> {
  readonly northbound: Northbound;
  readonly objects: Objects;
  stop(): Promise<void>;
}

export async function startStage({
  database,
  cluster,
}: {
  readonly database: string;
  readonly cluster: string;
}): Promise<Stage> {
  const nb = await startOvnStandalone({ database });
  const kubernetes = await startKubernetes({ recording: cluster });
  const session = await openDatabase({ remotes: nb.remote, database: 'OVN_Northbound' });
  // The actor is Kube-OVN's controller: it leads for as long as there is a stage.
  const resign = lead(kubernetes.api);
  const { close, ...shell } = openShell({
    ...WITHOUT_WAITING,
    ovnNb: { remote: nb.remote },
    kubernetes: { kubeconfig: kubernetes.kubeconfig },
  });
  return {
    ...shell,
    northbound: northboundOf(session, nb.nbctl),
    objects: objectsOf(kubernetes.api),
    async stop() {
      await resign();
      session.close();
      await kubernetes.stop();
      await nb.stop();
      close();
    },
  };
}
