import { createWriteStream } from 'node:fs';
import { userInfo } from 'node:os';
import type { GenericContainer, WaitStrategy } from 'testcontainers';
import { logTail } from '../run/log-tail';
import type { Server, ServerSpec, Site } from '../run/server';

export interface ContainerPrograms {
  /** The image each program is in; the program is found on the image's PATH. */
  readonly images: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /**
   * What holds the network the servers share, as a pod's pause container does: it publishes the
   * ports and outlives every server.
   */
  readonly holder: { readonly image: string; readonly command?: readonly string[] };
}

/**
 * Loaded only where it is used: it takes half a second, which tests without Docker need not wait
 * for.
 */
const testcontainers = (): Promise<typeof import('testcontainers')> => import('testcontainers');

/** Ports are published while nothing listens on them yet: being started is enough. */
const AT_ONCE: WaitStrategy = {
  waitUntilReady: () => Promise.resolve(),
  withStartupTimeout: () => AT_ONCE,
  isStartupTimeoutSet: () => true,
  getStartupTimeout: () => 60_000,
};

/**
 * Runs programs in containers, one a server. They share one network, so that servers reach each
 * other at 127.0.0.1 as processes do, and `folder` under its own path. Where Docker runs in a
 * virtual machine, sockets in that folder cannot be reached from here.
 */
export async function containerSite(
  programs: ContainerPrograms,
  folder: string,
  ports: readonly number[],
): Promise<Site> {
  const { GenericContainer: Container } = await testcontainers();
  const user = `${userInfo().uid}:${userInfo().gid}`;
  const env = { ...programs.env };
  const container = (image: string): GenericContainer =>
    new Container(image)
      .withUser(user)
      .withBindMounts([{ source: folder, target: folder }])
      .withWorkingDir(folder)
      .withEnvironment(env)
      .withWaitStrategy(AT_ONCE);
  const { image, command } = programs.holder;
  const holder = container(image).withExposedPorts(
    ...ports.map((port) => ({ container: port, host: port })),
  );
  const held = await (command === undefined ? holder : holder.withEntrypoint([...command])).start();
  const started: Server[] = [];
  return {
    listen: '0.0.0.0',
    start: async (spec) => {
      const server = await startContainer(
        container(programs.images[spec.program] ?? image).withNetworkMode(
          `container:${held.getId()}`,
        ),
        spec,
      );
      started.push(server);
      return server;
    },
    run: async (program, args) => {
      const { exitCode, stdout, output } = await held.exec([program, ...args], {
        user,
        workingDir: folder,
        env,
      });
      if (exitCode !== 0)
        throw new Error(`${program} ${args.join(' ')} failed: ${output.trim().slice(-2000)}`);
      return stdout;
    },
    close: async () => {
      await Promise.all(started.map((server) => server.kill()));
      await held.stop({ timeout: 0 });
    },
  };
}

async function startContainer(wanted: GenericContainer, spec: ServerSpec): Promise<Server> {
  const output = createWriteStream(spec.log, { flags: 'a' });
  const container = await wanted
    .withEntrypoint([spec.program])
    .withCommand([...spec.args])
    .withLogConsumer((stream) => void stream.pipe(output))
    .start();
  const { container: runtime } = await (await testcontainers()).getContainerRuntimeClient();
  const raw = runtime.getById(container.getId());
  let up = true;
  // Its end is noticed by itself; once ended it is of no use, and removed.
  const ended = raw.wait().then(async () => {
    up = false;
    await raw.remove({ force: true, v: true });
  });
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    if (up) await raw.kill({ signal: name });
  };
  return {
    name: spec.name,
    running: () => up,
    signal,
    kill: async () => {
      await signal('SIGKILL');
      await ended;
    },
    stop: async () => {
      await signal('SIGCONT');
      if (up) await raw.stop({ t: 10 });
      await ended;
    },
    logTail: () => logTail(spec.log),
  };
}
