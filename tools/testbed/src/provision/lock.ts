import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** True while a process of this number runs (also when it belongs to somebody else). */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

let attempts = 0;

/** Takes a lock file without waiting; false when a running process holds it. A file left by a dead process is taken over. */
export function tryLock(file: string): boolean {
  const own = `${file}.${process.pid}.${(attempts += 1)}`;
  // Written aside and linked into place: whoever sees the lock sees its holder's number too.
  writeFileSync(own, String(process.pid));
  try {
    return tryLink(own, file) || (removeIfDead(file, `${own}.dead`) && tryLink(own, file));
  } finally {
    rmSync(own, { force: true });
  }
}

function tryLink(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a dead process's lock away. Two may try at once: only the one that moved the file goes on, the other moves nothing. */
function removeIfDead(file: string, aside: string): boolean {
  const holder = holderOf(file);
  if (holder === undefined) return true;
  if (isRunning(holder)) return false;
  try {
    renameSync(file, aside);
  } catch {
    return false;
  }
  const moved = holderOf(aside);
  if (moved !== undefined && isRunning(moved)) tryLink(aside, file); // a living one came between; put it back
  rmSync(aside, { force: true });
  return true;
}

function holderOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Runs `work` while holding a lock file, so that two processes do not fetch or build the same thing twice.
 * `onWait` is told once when somebody else holds it.
 */
export async function withLock<T>(file: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  for (let told = false; !tryLock(file); told = true) {
    if (!told) onWait();
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
