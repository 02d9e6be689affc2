import { existsSync, renameSync, rmSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { PACKAGE } from '../place';
import { cacheFolder, makeCacheFolder } from './cache';
import { findOnPath, runCommand } from './command';
import { withLock } from './lock';
import type { Progress } from './progress';

/** A program that is built from the Go modules of `tools/testbed/<name>`, once for this machine. */
export interface GoProgram {
  /** Of the program, of its folder with `go.mod`, and of its folder in the cache. */
  readonly name: string;
  readonly version: string;
  /** What `go build` takes: `.`, or the package of another module. */
  readonly target: string;
  /** Variables of the program that say which version it is. */
  readonly stamps: Readonly<Record<string, string>>;
  /** How long it takes on two idle cores: said to who waits. */
  readonly takes: string;
  /** What to do where no Go is found, after the address of one. */
  readonly instead?: string;
}

const folderOf = ({ name, version }: GoProgram): string =>
  `${name}-${version}-${platform()}-${arch()}`;

/** The built program in the cache, if it is there. */
export function goProgramAtHand(program: GoProgram): string | undefined {
  const file = join(cacheFolder(folderOf(program)), program.name);
  return existsSync(file) ? file : undefined;
}

/** Builds it where it is not in the cache; waits where another process does. */
export async function provisionGoProgram(program: GoProgram, progress: Progress): Promise<string> {
  const atHand = goProgramAtHand(program);
  if (atHand !== undefined) return atHand;
  await requireGo(program);
  const target = makeCacheFolder(folderOf(program));
  return withLock(
    join(target, 'lock'),
    () => progress(`waiting for another process that builds ${program.name}`),
    async () => {
      const file = join(target, program.name);
      if (existsSync(file)) return file;
      progress(
        `building ${program.name} ${program.version} once, ${program.takes} on two idle cores; cached in ${target}`,
      );
      await build(program, file, progress);
      return file;
    },
  );
}

async function build(program: GoProgram, file: string, progress: Progress): Promise<void> {
  const started = Date.now();
  const minutes = (): number => Math.round((Date.now() - started) / 60_000);
  const timer = setInterval(
    () => progress(`still building ${program.name} (${minutes()} min)`),
    60_000,
  );
  const unfinished = `${file}.part`;
  const stamps = Object.entries(program.stamps).map(([name, value]) => `-X ${name}=${value}`);
  const args = ['build', '-trimpath', '-buildvcs=false', '-o', unfinished];
  args.push('-ldflags', ['-s -w', ...stamps].join(' '), program.target);
  try {
    // At low priority: whoever waits for it may want to go on working.
    await runCommand('nice', ['-n', '10', 'go', ...args], {
      cwd: moduleOf(program),
      env: GO,
      timeout: 45 * 60_000,
    });
    renameSync(unfinished, file);
    progress(`built ${program.name} in ${Math.round((Date.now() - started) / 1000)} s`);
  } finally {
    clearInterval(timer);
    rmSync(unfinished, { force: true });
  }
}

const moduleOf = ({ name }: GoProgram): string => join(PACKAGE, name);

/** Settings that must not come from the machine: they would change what is built, or forbid it. */
const GO = {
  GOFLAGS: '-mod=readonly',
  GOWORK: 'off',
  CGO_ENABLED: '0',
  GOOS: undefined,
  GOARCH: undefined,
};

/**
 * Fails, saying what to do, where there is no Go that can build the module. A Go that fetches the
 * toolchain it needs will do.
 */
async function requireGo(program: GoProgram): Promise<void> {
  const needed = `building ${program.name} ${program.version} needs Go 1.26 or later`;
  if (findOnPath('go') === undefined)
    throw new Error(
      `${needed}, and there is no go on the PATH; install it from https://go.dev/dl${program.instead ?? ''}`,
    );
  const known = { cwd: moduleOf(program), env: GO, timeout: 300_000 };
  await runCommand('go', ['version'], known).catch((error: unknown) => {
    throw new Error(`${needed}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  });
}
