import { once } from 'node:events';
import { analyze, collect, embedded } from './ours';
import { consume, produce } from './raw';
import type { Assignment, Report } from './task';

/** Prepares everything; what it returns does the work, and gives what was counted. */
export type Role = (assignment: Assignment) => Promise<() => Promise<number>>;

const ROLES: Readonly<Record<Assignment['role'], Role>> = {
  collector: collect,
  analyzer: analyze,
  embedded,
  produce,
  consume,
};

const report = (report: Report): void => {
  process.send?.(report);
};

async function main(): Promise<void> {
  const assignment = JSON.parse(process.argv[2] ?? '') as Assignment;
  const work = await ROLES[assignment.role](assignment);
  const message = once(process, 'message');
  report({ state: 'ready' });
  await message;
  const before = process.cpuUsage();
  const records = await work();
  const { user, system } = process.cpuUsage(before);
  report({ state: 'done', records, cpuSeconds: (user + system) / 1e6 }); // and then waits for its end: a consumer may not leave its group while others are measured
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
