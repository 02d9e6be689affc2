import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Reads `started N` and `ended N` lines. When the input closes, because this process ended in
 * whatever way, it kills the process groups still running and removes the scratch folder. A shell
 * of its own session: Ctrl-C or kill -9 on us do not reach it.
 */
const SCRIPT = `
trap '' INT TERM HUP
groups=
while read -r word group; do
  kept=
  for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done
  groups=$kept
  [ "$word" = started ] && groups="$groups $group"
done
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done
[ -n "$groups" ] && sleep 0.2
rm -rf -- "$1"
`;

interface Guard {
  readonly folder: string;
  readonly shell: ChildProcess;
}

let guard: Guard | undefined;

function theGuard(): Guard {
  if (guard !== undefined) return guard;
  const folder = mkdtempSync(join(tmpdir(), 'steward-'));
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'testbed-guard', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  // The pipe must not keep this process alive: its end is the signal.
  (shell.stdin as unknown as { unref(): void }).unref();
  shell.stdin?.on('error', () => undefined);
  guard = { folder, shell };
  return guard;
}

/**
 * A new scratch folder under the system's temporary folder, removed at the latest when this process
 * ends. Short: sockets go there.
 */
export const makeScratch = (name: string): string =>
  mkdtempSync(join(theGuard().folder, `${name}-`));

/** Removes a scratch folder. */
export const removeScratch = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true });

/** Has the process group killed when this process ends without having said `ended`. */
export function guardGroup(pid: number): void {
  theGuard().shell.stdin?.write(`started ${pid}\n`);
}

/** Forgets a process group that has ended, so that a later owner of its number is safe. */
export function releaseGroup(pid: number): void {
  theGuard().shell.stdin?.write(`ended ${pid}\n`);
}
