import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What to do wrong, once, at the next occasion of its kind. */
export type Fault =
  | {
      readonly at: 'list' | 'page' | 'watch';
      readonly answer: number;
      readonly retryAfter?: number;
    }
  /**
   * `drift`: the page claims another resourceVersion. `reset`: cut inside the body. `html`: a
   * proxy's page with status 200.
   */
  | {
      readonly at: 'list' | 'page';
      readonly do: 'reset' | 'stall' | 'drift' | 'html' | 'null-items';
    }
  /** The list claims a resourceVersion so much lower (or higher) than it has. */
  | { readonly at: 'list'; readonly shift: number }
  /** An ERROR event of this code inside the open watch. */
  | { readonly at: 'event'; readonly error: number }
  | {
      readonly at: 'event';
      readonly do:
        | 'drop'
        | 'duplicate'
        | 'swap'
        | 'half-line'
        | 'garbage'
        | 'cut'
        | 'reset'
        | 'stall'
        | 'close'
        | 'not-utf8';
    };

export type RawObject = {
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    resourceVersion: string;
    labels: Record<string, string>;
  };
  [field: string]: unknown;
};

interface Logged {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: RawObject;
}

interface Watcher {
  readonly response: ServerResponse;
  at: number;
  stalled: boolean;
  writing: boolean;
  /** Held back by `swap` until the next event went out. */
  held?: Logged;
}

/**
 * Lists, pages, watches and bookmarks of one namespaced kind, as kube-apiserver serves them; and
 * everything that goes wrong on the way.
 */
export class FaultServer {
  readonly #objects = new Map<string, RawObject>();
  readonly #history: Logged[] = [];
  readonly #watchers = new Set<Watcher>();
  readonly #faults: Fault[] = [];
  readonly #snapshots = new Map<number, RawObject[]>();
  readonly #server = createServer((request, response) => this.#serve(request, response));
  #revision = 100;
  #compacted = 0;
  /** Requests by what they asked for. */
  readonly asked = { list: 0, page: 0, watch: 0 };
  /** When lists were begun, in ms. */
  readonly listsAt: number[] = [];
  /** Events handed to the socket of any watch. */
  sentEvents = 0;
  /** Answered to every request while set. */
  refuse: number | undefined;
  bookmarks = true;

  constructor(
    private readonly kind = 'Pod',
    readonly path = '/api/v1/pods',
  ) {}

  async start(): Promise<URL> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  get revision(): number {
    return this.#revision;
  }

  /** What is there now. */
  truth(): RawObject[] {
    return [...this.#objects.values()];
  }

  put(name: string, labels: Record<string, string> = {}): RawObject {
    const before = this.#objects.get(name);
    const revision = ++this.#revision;
    const object: RawObject = {
      apiVersion: 'v1',
      kind: this.kind,
      metadata: {
        name,
        namespace: 'shop',
        uid: before?.metadata.uid ?? `uid-${name}-${revision}`,
        resourceVersion: String(revision),
        labels,
      },
    };
    this.#objects.set(name, object);
    this.#log({ revision, type: before ? 'MODIFIED' : 'ADDED', object });
    return object;
  }

  /** Puts an object there as it is, however wrong. */
  putRaw(name: string, object: unknown): void {
    this.#objects.set(name, object as RawObject);
    this.#log({ revision: ++this.#revision, type: 'ADDED', object: object as RawObject });
  }

  remove(name: string): void {
    const before = this.#objects.get(name);
    if (!before) return;
    const revision = ++this.#revision;
    this.#objects.delete(name);
    this.#log({
      revision,
      type: 'DELETED',
      object: { ...before, metadata: { ...before.metadata, resourceVersion: String(revision) } },
    });
  }

  next(...faults: readonly Fault[]): void {
    this.#faults.push(...faults);
  }

  /** Something else in the cluster changed. */
  skip(): void {
    this.#revision += 1;
  }

  /** Forgets history: positions before now are gone. */
  compact(): void {
    this.#compacted = this.#revision;
    this.#snapshots.clear();
  }

  bookmark(): void {
    for (const watcher of this.#watchers) {
      if (watcher.at === this.#revision && !watcher.stalled && !watcher.held)
        watcher.response.write(
          lineOf('BOOKMARK', {
            kind: this.kind,
            metadata: { resourceVersion: String(this.#revision) },
          }),
        );
    }
  }

  endWatches(): void {
    for (const { response } of this.#watchers) response.end();
    this.#watchers.clear();
  }

  #log(event: Logged): void {
    this.#history.push(event);
    for (const watcher of this.#watchers) void this.#feed(watcher);
  }

  #fault(at: Fault['at']): Fault | undefined {
    const index = this.#faults.findIndex((it) => it.at === at);
    return index < 0 ? undefined : this.#faults.splice(index, 1)[0];
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://server');
    const query = url.searchParams;
    if (this.refuse !== undefined) return refuse(response, this.refuse);
    if (url.pathname !== this.path) return refuse(response, 404);
    const what = query.has('watch') ? 'watch' : query.has('continue') ? 'page' : 'list';
    this.asked[what] += 1;
    if (what === 'list') this.listsAt.push(Date.now());
    const fault = this.#fault(what);
    if (fault && 'answer' in fault) return refuse(response, fault.answer, fault.retryAfter);
    if (what === 'watch') this.#watch(query, response);
    else this.#list(query, response, fault);
  }

  #list(query: URLSearchParams, response: ServerResponse, fault: Fault | undefined): void {
    const pageSize = Number(query.get('limit'));
    const [revision = this.#revision, from = 0] = (query.get('continue') ?? '')
      .split(':')
      .filter(Boolean)
      .map(Number);
    if (!query.has('continue')) this.#snapshots.set(revision, this.truth());
    const all = this.#snapshots.get(revision);
    if (!all) return refuse(response, 410);
    const items = all.slice(from, from + pageSize);
    const reported =
      revision +
      (fault && 'shift' in fault ? fault.shift : 0) +
      (fault && 'do' in fault && fault.do === 'drift' ? 1 : 0);
    const wrong = fault && 'do' in fault ? fault.do : undefined;
    const body =
      wrong === 'html'
        ? '<html>sign in</html>'
        : JSON.stringify({
            apiVersion: 'v1',
            kind: `${this.kind}List`,
            metadata: {
              resourceVersion: String(reported),
              ...(from + pageSize < all.length
                ? { continue: `${revision}:${from + pageSize}` }
                : {}),
            },
            items:
              wrong === 'null-items'
                ? null
                : items.map((it) => ({ ...it, apiVersion: undefined, kind: undefined })),
          });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    if (wrong === 'stall') response.write(body.slice(0, 20));
    else if (wrong === 'reset') response.write(body.slice(0, 20), () => response.destroy());
    else response.end(body);
  }

  #watch(query: URLSearchParams, response: ServerResponse): void {
    const at = Number(query.get('resourceVersion'));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (at < this.#compacted) {
      response.end(lineOf('ERROR', statusOf(410)));
      return;
    }
    const watcher: Watcher = { response, at, stalled: false, writing: false };
    this.#watchers.add(watcher);
    response.on('close', () => this.#watchers.delete(watcher));
    const end = setTimeout(
      () => {
        if (this.bookmarks && !watcher.stalled && watcher.at === this.#revision) this.bookmark();
        if (!watcher.stalled) response.end();
      },
      Number(query.get('timeoutSeconds')) * 1000,
    );
    response.on('close', () => clearTimeout(end));
    void this.#feed(watcher);
  }

  /** Sends what the watcher has not got, and waits when its socket is full. */
  async #feed(watcher: Watcher): Promise<void> {
    if (watcher.writing) return;
    watcher.writing = true;
    let index = this.#history.findIndex((it) => it.revision > watcher.at);
    while (
      index >= 0 &&
      index < this.#history.length &&
      this.#watchers.has(watcher) &&
      !watcher.stalled
    ) {
      const event = this.#history[index] as Logged;
      index += 1;
      watcher.at = event.revision;
      if (!this.#send(watcher, event)) await writable(watcher.response);
    }
    watcher.writing = false;
  }

  /** False when the socket is full. */
  #send(watcher: Watcher, event: Logged): boolean {
    const { response } = watcher;
    const line = lineOf(event.type, event.object);
    const fault = this.#fault('event');
    const leave = (finish: () => void): boolean => {
      this.#watchers.delete(watcher);
      finish();
      return true;
    };
    this.sentEvents += 1;
    if (fault && 'error' in fault)
      return leave(() => response.end(lineOf('ERROR', statusOf(fault.error))));
    switch (fault && 'do' in fault ? fault.do : undefined) {
      case 'drop':
        return true;
      case 'garbage':
        return response.write(`{"type":"ADDED",\n${line}`);
      case 'not-utf8':
        return response.write(
          Buffer.concat([
            Buffer.from('{"type":"MODIFIED","object":{"x":"'),
            Buffer.from([0xc3, 0x28]),
            Buffer.from('"}}\n'),
          ]),
        );
      case 'half-line':
        return leave(() => response.end(line.slice(0, line.length / 2)));
      case 'reset':
        return leave(() =>
          response.write(line.slice(0, line.length / 2), () => response.destroy()),
        );
      case 'cut':
        return leave(() => response.destroy());
      case 'close':
        return leave(() => response.end());
      case 'stall':
        watcher.stalled = true;
        return true;
      case 'swap': {
        const held = takeHeld(watcher); // or this one in its place would drop it
        watcher.held = event;
        return held === '' || response.write(held);
      }
      default: // none, or `duplicate`
        return response.write(line + (fault ? line : '') + takeHeld(watcher));
    }
  }
}

/** The line that `swap` held back; empty where none is. */
function takeHeld(watcher: Watcher): string {
  const { held } = watcher;
  delete watcher.held;
  return held ? lineOf(held.type, held.object) : '';
}

/** Resolves when the socket takes more, or never will. */
async function writable(response: ServerResponse): Promise<void> {
  const done = new AbortController();
  await Promise.race([once(response, 'drain', done), once(response, 'close', done)]).finally(() =>
    done.abort(),
  );
}

const lineOf = (type: string, object: unknown): string => `${JSON.stringify({ type, object })}\n`;

const statusOf = (code: number): unknown => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  reason: code === 410 ? 'Expired' : 'Injected',
  message: `injected ${code}`,
});

function refuse(response: ServerResponse, code: number, retryAfter?: number): void {
  response.writeHead(code, {
    'content-type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  });
  response.end(JSON.stringify(statusOf(code)));
}
