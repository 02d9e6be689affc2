import { renameSync } from 'node:fs';
import { makeScratch, removeScratch } from '../run/guard';
import { localSite } from '../run/local';
import { claimPort, releasePort } from '../run/ports';
import { waitFor } from '../run/wait';
import { startBroker } from './broker';
import { formatStorage, makeKafkaId } from './format';
import { layOut } from './layout';
import type { KafkaPrograms } from './programs';

/**
 * Starts a broker once and has Java keep the classes it loaded: later brokers start in half the
 * time. About ten seconds.
 */
export async function makeArchive({ java, classpath, archive }: KafkaPrograms): Promise<void> {
  const folder = makeScratch('kafka');
  const ports = [await claimPort(), await claimPort()] as const;
  const site = localSite({ paths: { java: java.path }, env: java.env }, folder);
  const unfinished = `${archive}.part`;
  const nodes = layOut(folder, [{ id: 1, ports: { PLAIN: ports[0], CONTROLLER: ports[1] } }], {
    listen: site.listen,
  });
  try {
    for (const node of nodes) {
      await formatStorage(site, { classpath, flags: [] }, node, { clusterId: makeKafkaId() });
      const server = await startBroker(
        site,
        { classpath, flags: [`-XX:ArchiveClassesAtExit=${unfinished}`] },
        node,
      );
      await server.signal('SIGTERM');
      await waitFor(() => !server.running(), {
        what: 'Java to write its class-data archive',
        timeoutMs: 120_000,
      });
    }
    renameSync(unfinished, archive);
  } finally {
    ports.forEach(releasePort);
    removeScratch(folder);
  }
}
