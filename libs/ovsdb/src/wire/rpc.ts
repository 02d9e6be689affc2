import type { Socket } from 'node:net';
import { OvsdbError } from './errors';
import { JsonSplitter } from './framing';
import { parseJson, stringifyJson } from './parse-json';
import { type Probe, startProbe } from './probe';
import { RefusedError } from './refused-error';
import { formatRemote, type Remote } from './remote';
import { type Phase, socketFailure } from './socket-failure';

export interface RpcOptions {
  /**
   * Milliseconds between our echoes; a server that sends nothing for a whole interval is taken for
   * dead. 0 = never. Default 10,000.
   */
  probeMs?: number;
  /** Milliseconds a request may take. 0 = no limit. Default 30,000. */
  timeoutMs?: number;
  /**
   * Largest message accepted, in bytes; the first dump of a database is one message. Default: 512
   * MiB.
   */
  maxMessageBytes?: number;
}

/** Who wants to know what the server says unasked. */
export interface RpcListener {
  /** A notification, in the order of arrival. An exception thrown here closes the connection. */
  onNotification?: (method: string, params: readonly unknown[]) => void;
  /** An echo of ours was answered; `at` is when it was sent (ms since 1970). */
  onAlive?: (at: number) => void;
}

interface Pending {
  method: string;
  resolve: (result: unknown) => void;
  reject: (error: OvsdbError) => void;
  timer: NodeJS.Timeout | undefined;
}

const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/**
 * JSON-RPC 1.0 as RFC 7047 section 4 adapts it, over one connected socket. Both sides may send
 * requests; echoes are answered here.
 */
export class JsonRpc {
  /** Resolves, never rejects, with the reason once the connection has ended. */
  readonly closed: Promise<OvsdbError>;
  #ended: OvsdbError | undefined;
  #resolveClosed!: (reason: OvsdbError) => void;
  readonly #splitter: JsonSplitter;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Set<RpcListener>();
  readonly #probe: Probe;
  #lastId = 0;
  #phase: Phase = 'silent';

  constructor(
    private readonly socket: Socket,
    private readonly remote: Remote,
    private readonly options: RpcOptions = {},
  ) {
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#splitter = new JsonSplitter(
      options.maxMessageBytes === undefined ? {} : { maxBytes: options.maxMessageBytes },
    );
    this.#probe = this.#startProbe(options.probeMs ?? 10_000);
    socket.on('data', (chunk) => this.#onData(chunk));
    socket.on('error', (cause) => this.#end(socketFailure(remote, this.#phase, cause)));
    socket.on('close', () => this.#end(socketFailure(remote, this.#phase)));
  }

  /**
   * Sends a request and waits for the answer. While reading is paused, answers wait too.
   * @param timeoutMs overrides the connection's limit for this request; 0 = none.
   * @throws RefusedError when the server answers with an error, OvsdbError `timeout`, or the error
   * that ended the connection.
   */
  request(
    method: string,
    params: readonly unknown[],
    timeoutMs = this.options.timeoutMs ?? 30_000,
  ): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer =
        timeoutMs > 0 ? setTimeout(() => this.#onTimeout(id, timeoutMs), timeoutMs) : undefined;
      this.#pending.set(id, { method, resolve, reject, timer });
      this.#send({ method, params, id });
    });
  }

  /** Why the connection ended, or undefined while it lives. */
  get ended(): OvsdbError | undefined {
    return this.#ended;
  }

  /** @returns what ends the listening. */
  listen(listener: RpcListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Sends a message that has no answer. Nothing happens when the connection has ended. */
  notify(method: string, params: readonly unknown[]): void {
    if (this.#ended === undefined) this.#send({ method, params, id: null });
  }

  /** As many probe intervals the server may be silent before it is taken for dead; 1 by default. */
  allowSilence(intervals: number): void {
    this.#probe.allow(intervals);
  }

  /**
   * Stops reading: what the server sends waits in the kernel, and the server itself then merges
   * updates. At most one chunk still arrives.
   */
  pause(): void {
    this.#probe.pause();
    this.socket.pause();
  }

  resume(): void {
    this.#probe.resume();
    if (this.#ended === undefined) this.socket.resume();
  }

  /**
   * Ends the connection for this reason; requests under way fail with it. Only the first reason
   * counts.
   */
  close(
    reason: OvsdbError = new OvsdbError(
      'closed',
      `We closed the connection to ${formatRemote(this.remote)}.`,
    ),
  ): void {
    this.#end(reason);
  }

  #startProbe(everyMs: number): Probe {
    return startProbe({
      everyMs,
      echo: () => this.request('echo', [], 0),
      onAlive: (at) => this.#listeners.forEach((listener) => listener.onAlive?.(at)),
      onDead: () =>
        this.#end(
          new OvsdbError(
            'timeout',
            `The server at ${formatRemote(this.remote)} sent nothing any more, not even the answer to an echo (probed every ${everyMs} ms).`,
          ),
        ),
    });
  }

  #send(message: object): void {
    this.socket.write(stringifyJson(message));
  }

  #onData(chunk: Buffer): void {
    this.#probe.received();
    const firstByte = this.#phase === 'silent' ? chunk[0] : undefined;
    this.#phase = 'talking';
    try {
      // 0x15 and 0x16 begin a TLS alert and a TLS handshake (RFC 8446 section 5.1).
      if (firstByte === 0x15 || firstByte === 0x16) {
        throw new OvsdbError(
          'certificate',
          `The server at ${formatRemote(this.remote)} expects TLS; use an ssl: remote.`,
        );
      }
      for (const text of this.#splitter.push(chunk)) {
        if (this.#ended === undefined) this.#onMessage(this.#parse(text));
      }
    } catch (error) {
      this.#end(
        error instanceof OvsdbError
          ? error
          : new OvsdbError(
              'protocol',
              `A message from ${formatRemote(this.remote)} could not be handled.`,
              { cause: error },
            ),
      );
    }
  }

  #parse(text: string): unknown {
    try {
      return parseJson(text);
    } catch (cause) {
      throw this.#violation('sent text that is not JSON', cause);
    }
  }

  #onMessage(message: unknown): void {
    if (!isObject(message)) throw this.#violation('sent a message that is no object');
    if (message['method'] === undefined) this.#onReply(message);
    else this.#onRequest(message);
  }

  #onRequest({ method, params, id }: Record<string, unknown>): void {
    if (typeof method !== 'string' || !Array.isArray(params))
      throw this.#violation('sent a request without a method name or without an array of params');
    if (method === 'echo') this.#send({ id: id ?? null, result: params, error: null });
    else if (id === null || id === undefined)
      this.#listeners.forEach((listener) => listener.onNotification?.(method, params));
    else this.#send({ id, result: null, error: 'unknown method' });
  }

  #onReply({ id, result, error }: Record<string, unknown>): void {
    const pending = typeof id === 'number' ? this.#pending.get(id) : undefined;
    // An answer nobody waits for any more came after its time-out.
    if (pending === undefined) return;
    this.#pending.delete(id as number);
    clearTimeout(pending.timer);
    if (error === undefined || error === null) pending.resolve(result);
    else pending.reject(RefusedError.from(pending.method, error));
  }

  #onTimeout(id: number, timeoutMs: number): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.reject(
      new OvsdbError(
        'timeout',
        `The server at ${formatRemote(this.remote)} did not answer ${pending.method} within ${timeoutMs} ms.`,
      ),
    );
  }

  #violation(what: string, cause?: unknown): OvsdbError {
    return new OvsdbError(
      'protocol',
      `The server at ${formatRemote(this.remote)} ${what}; it may not be an OVSDB server.`,
      { cause },
    );
  }

  #end(reason: OvsdbError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#probe.stop();
    this.socket.on('error', () => undefined).destroy();
    for (const pending of this.#pending.values()) {
      clearTimeout(pending.timer);
      pending.reject(reason);
    }
    this.#pending.clear();
    this.#resolveClosed(reason);
  }
}
