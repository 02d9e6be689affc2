import { once } from 'node:events';
import { connect, isIP, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory, ISocketFactoryArgs } from 'kafkajs';
import { frameCutter, requestHeader, responseCorrelation } from './frames';

/** Kafka's API keys that tests speak of (kafka.apache.org/protocol, "Api Keys"). */
export const API_KEYS = {
  Produce: 0,
  Fetch: 1,
  ListOffsets: 2,
  Metadata: 3,
  OffsetCommit: 8,
  OffsetFetch: 9,
  FindCoordinator: 10,
  JoinGroup: 11,
  Heartbeat: 12,
  LeaveGroup: 13,
  SyncGroup: 14,
  DescribeGroups: 15,
  SaslHandshake: 17,
  ApiVersions: 18,
  CreateTopics: 19,
  DeleteRecords: 21,
  InitProducerId: 22,
  DescribeConfigs: 32,
  AlterConfigs: 33,
  SaslAuthenticate: 36,
} as const;

export type ApiName = keyof typeof API_KEYS;

/**
 * What happens where a dropped response would have been: the connection is reset, or stays open and
 * silent.
 */
export type AfterDrop = 'cut' | 'swallow';

export interface ApiCounts {
  /** Requests that went to a broker. */
  readonly requests: number;
  /** Responses handed to the client. */
  readonly responses: number;
  /** Responses the broker gave and the client never saw. */
  readonly dropped: number;
}

/**
 * Real sockets that can be set to fail the way networks do: the broker has done what was asked,
 * and the client does not hear it.
 */
export interface FaultySockets {
  /** For kafkajs' `socketFactory`. One for as many clients as share a fate. */
  readonly socketFactory: ISocketFactory;
  /**
   * Has the responses of the next `count` requests of this kind get lost. The requests are
   * delivered, and the broker answers.
   */
  dropResponses(api: ApiName, count: number, then?: AfterDrop): void;
  /**
   * Holds every response of this kind back for so long, and with it those behind it on its
   * connection; 0 ends it.
   */
  delayResponses(api: ApiName, milliseconds: number): void;
  /**
   * Keeps the next `count` requests of this kind from the broker, on connections without TLS; their
   * connections stay open and silent.
   */
  holdRequests(api: ApiName, count: number): void;
  /**
   * Has the broker read what was held back, each on a connection of its own, as one does that was
   * stopped while a request lay in its socket's buffer. Resolves when it answered all of them.
   */
  deliverHeld(): Promise<void>;
  /** Refuses new connections (ECONNREFUSED) until asked otherwise; those there are stay. */
  refuseConnections(refuse: boolean): void;
  /** Resets every connection there is now (ECONNRESET). */
  cutConnections(): void;
  /** Connections open now. */
  connections(): number;
  /** What was seen of this kind so far. */
  counts(api: ApiName): ApiCounts;
}

interface Counting {
  requests: number;
  responses: number;
  dropped: number;
}

interface Plan {
  readonly drops: Map<number, { left: number; then: AfterDrop }>;
  readonly delays: Map<number, number>;
  readonly holds: Map<number, number>;
  readonly held: { readonly args: ISocketFactoryArgs; readonly frame: Buffer }[];
  readonly counts: Map<number, Counting>;
}

/**
 * Makes the sockets of one test. They understand requests that carry a header: all of kafkajs' to a
 * broker since 1.0.
 */
export function faultySockets(): FaultySockets {
  const plan: Plan = {
    drops: new Map(),
    delays: new Map(),
    holds: new Map(),
    held: [],
    counts: new Map(),
  };
  const open = new Set<Socket>();
  let refusing = false;
  return {
    socketFactory: (args) => {
      if (refusing) return refusedSocket();
      const socket = spoil(realSocket(args), plan, args);
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      return socket;
    },
    dropResponses: (api, count, then = 'cut') =>
      void plan.drops.set(API_KEYS[api], { left: count, then }),
    delayResponses: (api, milliseconds) => void plan.delays.set(API_KEYS[api], milliseconds),
    holdRequests: (api, count) => void plan.holds.set(API_KEYS[api], count),
    deliverHeld: async () => {
      for (const { args, frame } of plan.held.splice(0)) await deliverAlone(args, frame);
    },
    refuseConnections: (refuse) => {
      refusing = refuse;
    },
    cutConnections: () => open.forEach(cut),
    connections: () => open.size,
    counts: (api) => ({ ...countsOf(plan, API_KEYS[api]) }),
  };
}

/** As kafkajs makes its own. */
function realSocket({ host, port, ssl, onConnect }: ISocketFactoryArgs): Socket {
  const name = isIP(host) === 0 ? { servername: host } : {};
  return ssl
    ? connectTls({ host, port, ...name, ...ssl }, onConnect)
    : connect({ host, port }, onConnect);
}

const networkError = (code: string): Error =>
  Object.assign(new Error(`${code} (of the test's making)`), { code });

function refusedSocket(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(networkError('ECONNREFUSED')));
  return socket;
}

const cut = (socket: Socket): void => void socket.destroy(networkError('ECONNRESET'));

function countsOf({ counts }: Plan, apiKey: number): Counting {
  const known = counts.get(apiKey) ?? { requests: 0, responses: 0, dropped: 0 };
  counts.set(apiKey, known);
  return known;
}

/** Stands between the socket and whoever reads and writes it. */
function spoil(socket: Socket, plan: Plan, args: ISocketFactoryArgs): Socket {
  const requests = frameCutter();
  const responses = frameCutter();
  const requested = new Map<number, { readonly apiKey: number; readonly drop?: AfterDrop }>();
  const [write, emit] = [socket.write.bind(socket), socket.emit.bind(socket)] as [
    (...args: unknown[]) => boolean,
    Socket['emit'],
  ];
  socket.write = (data: string | Uint8Array, ...rest: unknown[]) => {
    const frames = requests(Buffer.from(data as Uint8Array));
    if (holdsBack(plan, frames)) {
      plan.held.push(...frames.map((frame) => ({ args, frame })));
      return true;
    }
    for (const header of frames.map(requestHeader))
      if (header !== undefined)
        requested.set(header.correlationId, recordRequest(plan, header.apiKey));
    return write(data, ...rest);
  };
  const deliver = async (frame: Buffer): Promise<void> => {
    const correlation = responseCorrelation(frame) ?? -1;
    const request = requested.get(correlation);
    requested.delete(correlation);
    if (request === undefined) return void emit('data', frame);
    const count = countsOf(plan, request.apiKey);
    if (request.drop !== undefined) {
      count.dropped += 1;
      return request.drop === 'cut' ? cut(socket) : undefined;
    }
    const delay = plan.delays.get(request.apiKey) ?? 0;
    if (delay > 0) await sleep(delay, undefined, { ref: false });
    if (socket.errored !== null) return; // cut meanwhile; one that merely ended still says what it had to
    count.responses += 1;
    emit('data', frame);
  };
  let delivered = Promise.resolve();
  socket.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event !== 'data' && event !== 'end') return emit(event, ...args);
    const frames = event === 'data' ? responses(args[0] as Buffer) : [];
    for (const frame of frames) delivered = delivered.then(() => deliver(frame));
    if (event === 'end') delivered = delivered.then(() => void emit('end'));
    return true;
  };
  return socket;
}

/** Whether what a client writes at once, which is one request, is to be held back. */
function holdsBack({ holds }: Plan, [frame]: readonly Buffer[]): boolean {
  const apiKey = frame && requestHeader(frame)?.apiKey;
  const left = apiKey === undefined ? 0 : (holds.get(apiKey) ?? 0);
  if (apiKey === undefined || left === 0) return false;
  holds.set(apiKey, left - 1);
  return true;
}

async function deliverAlone(args: ISocketFactoryArgs, frame: Buffer): Promise<void> {
  const socket = realSocket({ ...args, onConnect: () => undefined });
  socket.write(frame);
  await once(socket, 'data');
  socket.destroy();
}

function recordRequest(
  plan: Plan,
  apiKey: number,
): { readonly apiKey: number; readonly drop?: AfterDrop } {
  countsOf(plan, apiKey).requests += 1;
  const drop = plan.drops.get(apiKey);
  if (drop === undefined || drop.left === 0) return { apiKey };
  drop.left -= 1;
  return { apiKey, drop: drop.then };
}
