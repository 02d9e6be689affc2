import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { issueCertificate, makeAuthority } from '@ovn-steward/testbed/run/certificates';
import { answerSpdy } from './spdy';

/** Both sides speak the version of streams in which an end is an object of kind Status. */
const PROTOCOL = 'v4.channel.k8s.io';
const SUCCESS = JSON.stringify({ metadata: {}, status: 'Success' });

/** Where a kubelet answers `/exec`. */
export interface ExecServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * What a command in a container prints; all of them succeed. Kube-OVN asks a NAT gateway for that
 * version and for nothing else.
 */
const printed = (command: string): string =>
  command.includes('get-iptables-version') ? 'iptables v1.8.10 (nf_tables)\n' : '';

/**
 * Answers commands in any container with success, as Kube-OVN needs it to call a NAT gateway ready.
 * Nothing is run.
 */
export async function startExecServer(): Promise<ExecServer> {
  const { key, certificate } = issueCertificate(makeAuthority('kubelets'), 'kubelet');
  const server = createServer({ key, cert: certificate });
  const sockets = new Set<{ destroy(): void }>();
  server.on('upgrade', (request, socket, head) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const { searchParams } = new URL(request.url ?? '/', 'https://kubelet');
    const wanted = ['output', 'error'].filter((it) => searchParams.has(it));
    const streams: number[] = [];
    const connection = answerSpdy(socket, {
      opened(id) {
        streams.push(id);
        // The first is for the end, then those for what is printed, as they were asked for.
        if (streams.length < 1 + wanted.length) return;
        const output = printed(searchParams.getAll('command').join(' '));
        const [end, ...prints] = streams as [number, ...number[]];
        for (const [nth, one] of prints.entries())
          connection.finish(one, wanted[nth] === 'output' ? output : '');
        connection.finish(end, SUCCESS);
      },
    });
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${PROTOCOL}\r\n\r\n`,
    );
    if (head.length > 0) socket.unshift(head);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const it of sockets) it.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
