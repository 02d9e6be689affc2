import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guardGroup, releaseGroup } from '@ovn-steward/testbed/run/guard';
import { waitFor } from '@ovn-steward/testbed/run/wait';

export interface ControllerOptions {
  readonly binary: string;
  readonly kubeconfig: string;
  readonly nb: string;
  readonly sb: string;
  /** Where its log goes. */
  readonly folder: string;
  /** Of its collection, in seconds; 0 switches it off. */
  readonly gcInterval: number;
}

/** A running controller of Kube-OVN, unmodified, outside a pod. */
export interface Controller {
  stop(): Promise<void>;
}

let started = 0;

/** Releases before 1.13 are one program, which goes by the name it is called. */
const ARGV0 = 'kube-ovn-controller';

/**
 * What every release from 1.12 on logs at the end of its first collection, which is its last step
 * of coming up, or that it has none.
 */
const AT_WORK = /start to gc vpc dns|gc is disabled/;

/** Starts it, and waits until its first collection is over. */
export async function startController(options: ControllerOptions): Promise<Controller> {
  const log = join(options.folder, `controller-${(started += 1)}.log`);
  const output = openSync(log, 'a');
  const child = spawn(
    options.binary,
    knownTo(options.binary, [
      `--kubeconfig=${options.kubeconfig}`,
      `--ovn-nb-addr=${options.nb}`,
      `--ovn-sb-addr=${options.sb}`,
      `--gc-interval=${options.gcInterval}`,
      '--image=docker.io/kubeovn/kube-ovn:v1.17.0',
      '--logtostderr=true',
      '--alsologtostderr=false',
      '--pprof-port=0',
    ]),
    {
      argv0: ARGV0,
      cwd: options.folder,
      detached: true,
      env: {
        PATH: process.env['PATH'],
        ENABLE_BIND_LOCAL_IP: 'true',
        POD_IP: '127.0.0.1',
        POD_IPS: '127.0.0.1',
        POD_NAME: 'kube-ovn-controller-rig',
        POD_NAMESPACE: 'kube-system',
        // The same, for releases before 1.15.
        KUBE_NAMESPACE: 'kube-system',
        NODE_NAME: 'cp-1',
        KUBE_NODE_NAME: 'cp-1',
        KUBECONFIG: options.kubeconfig,
      },
      stdio: ['ignore', output, output],
    },
  );
  closeSync(output);
  const ended = once(child, 'exit');
  guardGroup(child.pid!);
  const text = (): string => readFileSync(log, 'utf8');
  const server = {
    name: 'kube-ovn-controller',
    running: () => child.exitCode === null && child.signalCode === null,
    logTail: () => text().split('\n').slice(-15).join('\n'),
  };
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    releaseGroup(child.pid!);
  };
  await waitFor(() => AT_WORK.test(text()), {
    what: "Kube-OVN's controller to have collected once",
    timeoutMs: 120_000,
    servers: [server as never],
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { stop };
}

/** A release ends at a flag that it does not know: v1.12 has no `--image`. */
function knownTo(binary: string, flags: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(binary, ['--help'], { argv0: ARGV0, encoding: 'utf8' });
  return flags.filter((it) => `${stdout}${stderr}`.includes(`${it.split('=')[0]} `));
}
