import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { startOvnRaft } from '@ovn-steward/testbed/ovn-raft';
import { recording } from '@ovn-steward/testbed/recordings';
import { type LossyProxy, lossyProxy } from '../testing/lossy-proxy';
import { liveNorthbound } from './live-northbound';
import { describeNorthbound, type StartedNorthbound } from './northbound.contract';

const database = recording('clean', 'nb.db');

/** @param remotes over TCP: what is lost is lost between two sockets. */
async function reached(
  remotes: readonly string[],
  stop: () => Promise<void>,
): Promise<StartedNorthbound> {
  const proxies: readonly LossyProxy[] = await Promise.all(
    remotes.map((remote) => lossyProxy(remote)),
  );
  return {
    client: (steals) =>
      liveNorthbound({ remotes: remotes.join(','), ...(steals !== undefined && { steals }) }),
    lossy: () => ({
      client: liveNorthbound({ remotes: proxies.map(({ remote }) => remote).join(',') }),
      // All of them, since the client chooses: what the others were to lose is forgotten with them.
      lose: (what) => proxies.forEach((proxy) => proxy.lose(what)),
    }),
    stop: async () => {
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await stop();
    },
  };
}

describeWith(ovn, 'live', () => {
  describeNorthbound('a standalone server', async () => {
    const server = await startOvnStandalone({ database });
    return reached([server.remote], () => server.stop());
  });

  describeNorthbound('a raft cluster', async () => {
    const cluster = await startOvnRaft({ database });
    return reached(cluster.remotes, () => cluster.stop());
  });
});
