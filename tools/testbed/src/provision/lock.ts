import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Names a process so that another of the same number, after a restart or in another container, is
 * not taken for it: its number and, where /proc has it, when it started (field 22 of
 * /proc/PID/stat, clock ticks since boot).
 */
function identityOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return String(pid);
  }
}

/** True while the process so named runs (also when it belongs to somebody else). */
function isRunning(identity: string): boolean {
  const pid = Number(identity.split(' ')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return false; // not written by us
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return identityOf(pid) === identity;
}

let attempts = 0;

/**
 * Takes a lock file without waiting; false when a running process holds it. A file left by a dead
 * process is taken over.
 */
export function tryLock(file: string): boolean {
  const own = `${file}.${process.pid}.${(attempts += 1)}`;
  // Written aside and linked into place: whoever sees the lock sees its holder too.
  writeFileSync(own, identityOf(process.pid));
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

/**
 * Moves a dead process's lock away. Two may try at once: only the one that moved the file goes on,
 * the other moves nothing.
 */
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

function holderOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Runs `work` while holding a lock file, so that two processes do not fetch or build the same thing
 * twice. `onWait` is called once when somebody else holds it.
 */
export async function withLock<T>(
  file: string,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  for (let reported = false; !tryLock(file); reported = true) {
    if (!reported) onWait();
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
