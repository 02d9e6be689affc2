import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, textOf } from '../images/repository';
import { CHART, type ChartObject, type Container, only, podsOf, type PodSpec } from './rendered';
import { claimPort, releasePort } from '@ovn-steward/testbed/run/ports';

/** A container as somebody would start it without an engine. */
export interface AsProcess {
  /** What follows `node`: the program of the image, and the arguments. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The file of settings that the container has mounted, here. */
  readonly settings: string;
}

/** What the images set (deploy/docker/Dockerfile), which the container's environment replaces. */
const OF_IMAGE = Object.fromEntries(
  [...textOf('deploy/docker/Dockerfile').matchAll(/(STEWARD_[A-Z_]+)=(\S+)/g)].map((match) => [
    match[1]!,
    match[2]!,
  ]),
);

const programOf = ({ image }: Container): string => {
  const program = /([a-z]+):[^/]*$/.exec(image)![1]!;
  return program === 'steward'
    ? join(ROOT, 'apps/steward/bin/steward.cjs')
    : join(ROOT, 'services', program, 'dist/main.js');
};

/**
 * The container of a pod with its settings in a file of a fresh folder, and that in the place of
 * the mounted one.
 */
export function asProcess(
  objects: readonly ChartObject[],
  pod: PodSpec,
  container: Container,
): AsProcess {
  const env = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value]));
  const mounted = pod.volumes.find(({ name }) => name === 'settings') as unknown as {
    configMap: { name: string };
  };
  const { data } = only(objects, 'ConfigMap', mounted.configMap.name);
  const file = env['STEWARD_CONFIG']!.replace('/etc/ovn-steward/settings/', '');
  const settings = join(mkdtempSync(join(tmpdir(), 'steward-chart-')), file);
  writeFileSync(settings, data![file]!);
  return {
    argv: [programOf(container), ...(container.args ?? [])],
    env: { ...OF_IMAGE, ...env, STEWARD_CONFIG: settings },
    settings,
  };
}

/** A workload of one container that runs here, with ports, folder and account of this machine. */
export interface Running {
  /** Of HTTP, `host:port`. */
  readonly address: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What it wrote to standard output. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** Settles with its exit status when it ends; null after a signal that ended it. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

/** What a pod has on this machine. */
export interface Here {
  /** Of all volumes; each pod has a folder of its own there. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** Which of several pods of the workload; its only one by default. */
  readonly pod?: string;
}

/** Starts the workload of that name as a process. What it writes to standard error is shown. */
export async function startWorkload(
  objects: readonly ChartObject[],
  name: string,
  { folder, kubeconfig, pod: ofPod = name }: Here,
): Promise<Running> {
  const pod = podsOf(objects).get(name)!;
  const { argv, env } = asProcess(objects, pod, pod.containers[0]!);
  const ports = [await claimPort(), await claimPort()];
  const here = {
    ...env,
    PATH: process.env['PATH'] ?? '',
    KUBECONFIG: kubeconfig, // a token in a container's root has no place here
    STEWARD_STATE_DIR: join(folder, ofPod),
    STEWARD_HTTP__LISTEN: `127.0.0.1:${ports[0]}`,
    STEWARD_HTTP__PROBES: `127.0.0.1:${ports[1]}`,
  };
  const child = spawn(process.execPath, argv, {
    env: here,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += String(text)));
  const ended = once(child, 'exit').then(([code]) => {
    for (const it of ports) releasePort(it);
    return code as number | null;
  });
  return {
    ended,
    signal: (it) => void child.kill(it),
    output: () => output,
    address: `127.0.0.1:${ports[0]}`,
    argv,
    env: here,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The exit code of the check that `helm test` runs, asked of these within 90 seconds. */
export async function checked(addresses: readonly string[]): Promise<unknown> {
  const check: ChildProcess = spawn(
    process.execPath,
    [join(CHART, 'files/check.cjs'), ...addresses],
    { env: { CHECK_SECONDS: '90' }, stdio: 'inherit' },
  );
  return ((await once(check, 'exit')) as [number | null])[0];
}
