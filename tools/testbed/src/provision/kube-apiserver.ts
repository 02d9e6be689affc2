import { existsSync, renameSync, rmSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { PACKAGE } from '../place';
import { cacheFolder, makeCacheFolder } from './cache';
import { findOnPath, runCommand } from './command';
import { withLock } from './lock';
import type { Progress } from './progress';

/** The release that kube-apiserver/go.mod requires; a test holds the two equal. */
export const KUBERNETES_VERSION = 'v1.36.4';

/** Our Go module: a `main` around Kubernetes' own command. */
const MODULE = join(PACKAGE, 'kube-apiserver');

const folder = `kube-apiserver-${KUBERNETES_VERSION}-${platform()}-${arch()}`;

/** The built server in the cache, if it is there. */
export function apiServerAtHand(): string | undefined {
  const file = join(cacheFolder(folder), 'kube-apiserver');
  return existsSync(file) ? file : undefined;
}

/** Builds kube-apiserver from its Go modules, once for this machine: about five to ten minutes on two cores, 105 MB. */
export async function provisionApiServer(progress: Progress): Promise<string> {
  const atHand = apiServerAtHand();
  if (atHand !== undefined) return atHand;
  await requireGo();
  const target = makeCacheFolder(folder);
  return withLock(
    join(target, 'lock'),
    () => progress('waiting for another process that builds kube-apiserver'),
    async () => {
      const file = join(target, 'kube-apiserver');
      if (existsSync(file)) return file;
      progress(
        `building kube-apiserver ${KUBERNETES_VERSION} once, about 7 minutes on two idle cores; cached in ${target}`,
      );
      await build(file, progress);
      return file;
    },
  );
}

async function build(file: string, progress: Progress): Promise<void> {
  const started = Date.now();
  const minutes = (): number => Math.round((Date.now() - started) / 60_000);
  const timer = setInterval(
    () => progress(`still building kube-apiserver (${minutes()} min)`),
    60_000,
  );
  const unfinished = `${file}.part`;
  const version = 'k8s.io/component-base/version';
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(KUBERNETES_VERSION) ?? [];
  const flags = `-s -w -X ${version}.gitVersion=${KUBERNETES_VERSION} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`;
  try {
    // At low priority: whoever waits for it may want to go on working.
    await runCommand(
      'nice',
      [
        '-n',
        '10',
        'go',
        'build',
        '-trimpath',
        '-buildvcs=false',
        '-ldflags',
        flags,
        '-o',
        unfinished,
        '.',
      ],
      { cwd: MODULE, env: GO, timeout: 45 * 60_000 },
    );
    renameSync(unfinished, file);
    progress(`built kube-apiserver in ${Math.round((Date.now() - started) / 1000)} s`);
  } finally {
    clearInterval(timer);
    rmSync(unfinished, { force: true });
  }
}

/** Settings that must not come from the machine: they would change what is built, or forbid it. */
const GO = {
  GOFLAGS: '-mod=readonly',
  GOWORK: 'off',
  CGO_ENABLED: '0',
  GOOS: undefined,
  GOARCH: undefined,
};

/** Fails, saying what to do, where there is no Go that can build the module. A Go that fetches the toolchain it needs will do. */
async function requireGo(): Promise<void> {
  const needed = `building kube-apiserver ${KUBERNETES_VERSION} needs Go 1.26 or later`;
  if (findOnPath('go') === undefined)
    throw new Error(
      `${needed}, and there is no go on the PATH; install it from https://go.dev/dl, or give a cluster by STEWARD_TEST_KUBECONFIG`,
    );
  await runCommand('go', ['version'], { cwd: MODULE, env: GO, timeout: 300_000 }).catch(
    (error: unknown) => {
      throw new Error(`${needed}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    },
  );
}
