import type { IncomingMessage } from 'node:http';
import { Failure } from '@ovn-steward/shared/errors';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import { createKubeClient, type KubeClient } from './kube-client';
import { KubeFailure, UnansweredFailure } from './kube-failure';
import { bytesOf, type KubeAccess, type KubeRequest, sendRequest, serverOf } from './kube-request';
import { LARGEST_ANSWER } from './read-json';
import { parseKubernetesJson } from '../projections/parse-kubernetes-json';
import { freshConnections, sendsRepeatable } from './kept-connections';

/** What the API server answered: one JSON document, or undefined where it sent something else. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Requests to one API server, each with its time. */
export interface KubernetesRequests {
  readonly server: string;
  readonly client: KubeClient;
  /**
   * An answer with one of the statuses, over a kept connection where there is one; sent again over
   * a new one when that turns out dead.
   * @throws KubeFailure for any other.
   */
  read(path: string, statuses: readonly number[], signal: AbortSignal): Promise<JsonAnswer>;
  /**
   * The same over a connection of its own, as a write has it: it reaches the server that has that
   * address now, while a kept one may lead to the server that had it before.
   */
  readOnNewConnection(
    path: string,
    statuses: readonly number[],
    signal: AbortSignal,
  ): Promise<JsonAnswer>;
  /**
   * The same for what changes something, once, over a connection of its own.
   * @throws Failure `outcome-unknown` when the server may have had it and did not say what became
   *   of it, which an error of its own (5xx) does not; any other Failure means that nothing was
   *   changed.
   */
  write(
    request: KubeRequest,
    statuses: readonly number[],
    signal: AbortSignal,
  ): Promise<JsonAnswer>;
  /**
   * The same for what may be done twice, such as an event that is named by what it says: over a
   * kept connection, and once more over a new one.
   * @throws KubeFailure for any other answer, and for none.
   */
  repeat(
    request: KubeRequest,
    statuses: readonly number[],
    signal: AbortSignal,
  ): Promise<JsonAnswer>;
  /** Runs work that sends its requests through `client`, within the time of one request. */
  within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  close(): void;
}

export function kubernetesRequests(access: KubeAccess, timeoutMs: number): KubernetesRequests {
  const server = serverOf(access);
  const limits = { connectMs: timeoutMs, idleMs: timeoutMs };
  const closing = new AbortController();
  const repeatable = sendsRepeatable(access);
  const fresh = freshConnections(access);

  const send = async (
    over: KubeAccess,
    request: KubeRequest,
    statuses: readonly number[],
    signal: AbortSignal,
  ): Promise<JsonAnswer> =>
    answerIn(await sendRequest(over, request, statuses, limits, signal), server, limits.idleMs);
  const within: KubernetesRequests['within'] = async (signal, work) => {
    signal.throwIfAborted();
    const late = timeLimit(timeoutMs);
    try {
      return await work(AbortSignal.any([signal, late, closing.signal]));
    } catch (error) {
      throw late.aborted && !signal.aborted ? lateFailure(server, timeoutMs, error) : error;
    }
  };
  const repeat: KubernetesRequests['repeat'] = (request, statuses, signal) =>
    within(signal, (limited) => repeatable((over) => send(over, request, statuses, limited)));
  return {
    server,
    client: createKubeClient(access, limits, repeatable),
    within,
    repeat,
    read: (path, statuses, signal) => repeat({ method: 'GET', path }, statuses, signal),
    readOnNewConnection: (path, statuses, signal) =>
      within(signal, (limited) => send(fresh, { method: 'GET', path }, statuses, limited)),
    async write(request, statuses, signal) {
      try {
        return await within(signal, (limited) => send(fresh, request, statuses, limited));
      } catch (error) {
        throw mayBeDone(error) ? unknownOutcome(request, error) : error;
      }
    },
    close: () => closing.abort(),
  };
}

async function answerIn(
  response: IncomingMessage,
  server: string,
  idleMs: number,
): Promise<JsonAnswer> {
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of bytesOf(response, server, idleMs)) {
      chunks.push(chunk);
      if ((size += chunk.length) > LARGEST_ANSWER) break;
    }
    return {
      status: response.statusCode ?? 0,
      body: parsed(Buffer.concat(chunks, size).toString('utf8')),
    };
  } catch (error) {
    throw error instanceof Failure ? new UnansweredFailure(error) : error; // its head alone does not say what was done
  }
}

function lateFailure(server: string, timeoutMs: number, cause: unknown): KubeFailure {
  const failure = new KubeFailure(
    'source-unreachable',
    `${server} did not answer within ${timeoutMs / 1000} s: check the address, and any firewall or proxy on the way.`,
    undefined,
    { cause },
  );
  return cause instanceof UnansweredFailure ? new UnansweredFailure(failure) : failure;
}

/** Whether what was sent may be done, whatever was answered. */
const mayBeDone = (error: unknown): error is Error =>
  error instanceof UnansweredFailure ||
  (error instanceof KubeFailure && (error.status ?? 0) >= 500);

/** It is done or it is not: only another read can show which. */
export const unknownOutcome = ({ method, path }: KubeRequest, cause: Error): Failure =>
  new Failure(
    'outcome-unknown',
    `${method} ${path.split('?')[0]} was sent, and whether it was done is not known: ${cause.message} Read it before the request is repeated.`,
    { cause },
  );

function parsed(text: string): unknown {
  try {
    return parseKubernetesJson(text);
  } catch {
    return undefined;
  }
}
