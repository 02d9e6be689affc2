import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimPort, releasePort } from '@ovn-steward/testbed/run/ports';

export type ServiceName = 'collector' | 'analyzer' | 'executor' | 'notifier';

export interface ServiceOptions {
  /**
   * By dotted path, as flags: `{ 'kafka.brokers': 'a:1' }`. `http.listen` and `http.probes` are
   * chosen here.
   */
  readonly settings: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** A built checkout of another version; this one by default. */
  readonly root?: string;
  /** What comes before `node`: a program that gives the service other surroundings. */
  readonly wrapper?: readonly string[];
}

/**
 * A service as its built self, in a process of its own, started again when it ends by itself: as an
 * orchestrator would.
 */
export interface Service {
  readonly name: ServiceName;
  readonly url: string;
  /** Of the process that runs now; undefined between two. */
  pid(): number | undefined;
  /** Settles when `GET /readyz` says 200. */
  ready(): Promise<void>;
  /** SIGKILL; it is not started again before `start`. */
  kill(): Promise<void>;
  /** SIGTERM; gives the exit status. Not started again before `start`. */
  stop(): Promise<number | null>;
  start(): void;
  signal(name: NodeJS.Signals): void;
  /** How often it ended without being asked to. */
  readonly ends: () => number;
  /** All it ever wrote, of all its lives. */
  readonly output: () => string;
}

const REPOSITORY = join(__dirname, '..', '..');
const PATIENCE_MS = 60_000;
/** As a kubelet backs off, in small. */
const RESTART_MS = 500;

export async function startService(
  name: ServiceName,
  { settings, env = {}, root = REPOSITORY, wrapper = [] }: ServiceOptions,
): Promise<Service> {
  const entry = join(root, 'services', name, 'dist', 'main.js');
  if (!existsSync(entry)) throw new Error(`${entry} is not built: npm run build`);
  const port = await claimPort();
  const url = `http://127.0.0.1:${port}`;
  const flags = Object.entries({
    ...settings,
    'http.listen': `127.0.0.1:${port}`,
    'http.probes': '127.0.0.1:0',
  }).flatMap(([path, value]) => [`--${path}`, value]);
  let output = '';
  let ends = 0;
  let wanted = false;
  let child: ChildProcess | undefined;

  const start = (): void => {
    wanted = true;
    const [program = process.execPath, ...args] = [...wrapper, process.execPath, entry, ...flags];
    const life = spawn(program, args, {
      env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = life;
    for (const stream of [life.stdout!, life.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    life.once('close', (code, signal) => {
      if (child === life) child = undefined;
      if (!wanted) return;
      ends += 1;
      output += `(${name} ended by itself: ${code ?? signal})\n`;
      setTimeout(() => {
        if (wanted && child === undefined) start();
      }, RESTART_MS);
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    wanted = false;
    const life = child;
    if (life === undefined) return null;
    const closed = once(life, 'close') as Promise<[number | null]>;
    life.kill(signal);
    if (signal === 'SIGKILL') life.kill('SIGCONT');
    const [code] = await closed;
    return code;
  };
  start();
  return {
    name,
    url,
    start,
    pid: () => child?.pid,
    async ready() {
      for (const until = Date.now() + PATIENCE_MS; ; await sleep(100)) {
        const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
          async (it) => ({ ok: it.ok, text: await it.text() }),
          (error: unknown) => ({ ok: false, text: String(error) }),
        );
        if (answer.ok) return;
        if (Date.now() > until)
          throw new Error(`${name} is not ready: ${answer.text}\n${output.slice(-4000)}`);
      }
    },
    kill: async () => void (await end('SIGKILL')),
    async stop() {
      const code = await end('SIGTERM');
      releasePort(port);
      return code;
    },
    signal: (signal) => {
      child?.kill(signal);
    },
    ends: () => ends,
    output: () => output,
  };
}
