import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubeAccess } from '../kubernetes/kube-request';

/** A request as the API server got it. */
export interface Requested {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly type: string | undefined;
  readonly body: unknown;
}

/**
 * An answer: its status and its body (JSON, or the very text); `silence` and `break` give none,
 * `half` the beginning of one.
 */
export type ScriptedAnswer =
  readonly [status: number, body: unknown] | 'silence' | 'break' | 'half';

export interface ScriptedApi {
  readonly access: KubeAccess;
  readonly asked: Requested[];
  /** Of the connection each of them came over. */
  readonly ports: (number | undefined)[];
  answer: (requested: Requested) => ScriptedAnswer;
  stop(): void;
}

/** An HTTP server that says what a test asks it to. */
export async function scriptedApi(): Promise<ScriptedApi> {
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const requested: Requested = {
      method: request.method ?? '',
      url: request.url ?? '',
      type: request.headers['content-type'],
      body: chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined,
    };
    api.asked.push(requested);
    api.ports.push(request.socket.remotePort);
    const answer = api.answer(requested);
    if (answer === 'silence') return;
    if (answer === 'break') return void request.socket.destroy();
    if (answer === 'half') {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
        .write('{"kind":');
      return void setImmediate(() => request.socket.destroy());
    }
    response
      .writeHead(answer[0], { 'content-type': 'application/json' })
      .end(typeof answer[1] === 'string' ? answer[1] : JSON.stringify(answer[1]));
  };
  const server = createServer(
    (request, response) => void listener(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const api: ScriptedApi = {
    access: {
      server: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      authenticate: async () => undefined,
      renew: () => undefined,
    },
    asked: [],
    ports: [],
    answer: () => [404, '404 page not found'],
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return api;
}

/** A Status as the API server gives it with a refusal. */
export const status = (
  reason: string,
  details: Readonly<Record<string, unknown>> = {},
  message = reason,
): Readonly<Record<string, unknown>> => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason,
  message,
  details,
});
