import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface SinkServer {
  readonly url: string;
  readonly received: Received[];
  /** What it answers from now on; `undefined`: nothing, until `release`. */
  answer: { status: number; headers?: Record<string, string> } | undefined;
  /** Answers 200 to what has no answer yet. */
  release(): void;
  close(): void;
}

/** A server that takes notifications on a port of its own. */
export async function startSink(): Promise<SinkServer> {
  const received: Received[] = [];
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (it) => (text += String(it)));
    request.on('end', () => {
      received.push({ path: request.url!, headers: request.headers, body: JSON.parse(text) });
      if (sink.answer) response.writeHead(sink.answer.status, sink.answer.headers).end('{}');
      else held.push(response);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const sink: SinkServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: { status: 200 },
    release: () => held.splice(0).forEach((response) => response.writeHead(200).end('{}')),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return sink;
}
