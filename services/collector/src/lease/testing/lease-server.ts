import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubeAccess } from '@ovn-steward/systems/kubernetes/kube-request';

/** A written Lease. */
export interface WrittenLease {
  metadata: Record<string, unknown>;
  spec: Record<string, unknown>;
}

/** An API server with one Lease and optimistic locking, and what can go wrong with it. */
export interface LeaseServer {
  readonly access: KubeAccess;
  lease: WrittenLease | undefined;
  /** Every spec that was written. */
  readonly written: Record<string, unknown>[];
  /**
   * `answer`; `hold` keeps requests without an answer; `deny` is 403; `fail` is 500; `deaf` writes
   * and does not answer.
   */
  mode: 'answer' | 'hold' | 'deny' | 'fail' | 'deaf';
  /** Called before each request is judged. */
  onRequest: (method: string) => void;
  write(spec: Record<string, unknown>): void;
  stop(): void;
}

export async function leaseServer(): Promise<LeaseServer> {
  let version = 0;
  const written: Record<string, unknown>[] = [];
  const store = (
    metadata: Record<string, unknown>,
    spec: Record<string, unknown>,
  ): WrittenLease => {
    written.push(spec);
    return (server.lease = { metadata: { ...metadata, resourceVersion: String(++version) }, spec });
  };
  const judge = (method: string, body: WrittenLease | undefined): [number, unknown] => {
    if (method === 'GET') return server.lease ? [200, server.lease] : [404, {}];
    if (method === 'POST')
      return server.lease ? [409, {}] : [201, store(body!.metadata, body!.spec)];
    if (!server.lease) return [404, {}];
    if (server.lease.metadata['resourceVersion'] !== body!.metadata['resourceVersion'])
      return [409, {}];
    return [200, store(body!.metadata, body!.spec)];
  };
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const method = request.method ?? '';
    server.onRequest(method);
    if (server.mode === 'hold') return;
    const body =
      chunks.length > 0
        ? (JSON.parse(Buffer.concat(chunks).toString()) as WrittenLease)
        : undefined;
    const [status, answer] =
      server.mode === 'deny'
        ? [403, { message: 'leases is forbidden' }]
        : server.mode === 'fail'
          ? [500, { message: 'etcd is away' }]
          : judge(method, body);
    if (server.mode === 'deaf') return;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
  const http = createServer(
    (request, response) => void listener(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const server: LeaseServer = {
    access: {
      server: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`),
      authenticate: async () => undefined,
      renew: () => undefined,
    },
    lease: undefined,
    written,
    mode: 'answer',
    onRequest: () => undefined,
    write: (spec) => void store(server.lease?.metadata ?? {}, spec),
    stop() {
      http.closeAllConnections();
      http.close();
    },
  };
  return server;
}
