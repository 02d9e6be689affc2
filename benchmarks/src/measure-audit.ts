import type { AuditDocument } from '@ovn-steward/contracts/audit';
import { type Measured, runMeasured } from './measured-process';
import { requirePlanted } from './require-planted';
import { STEWARD } from './steward';
import type { WrittenWorld } from './world/write-world';

const FOUND_SOMETHING = 2;

/** A wrong answer is not worth measuring. */
function checkAnswer({ exitCode, stdout }: Measured, world: WrittenWorld): void {
  if (exitCode !== FOUND_SOMETHING)
    throw new Error(`steward audit ended with ${exitCode}, not with ${FOUND_SOMETHING} (findings)`);
  const { findings, unknowns } = JSON.parse(stdout) as AuditDocument;
  requirePlanted('steward audit', findings, world);
  if (unknowns.length > 0)
    throw new Error(`steward audit left ${unknowns.length} open (${unknowns[0]!.reason})`);
}

/** Audits the files of a world in a process of its own. @throws Error when the answer is wrong. */
export async function measureAudit(world: WrittenWorld): Promise<Measured> {
  const measured = await runMeasured(STEWARD, [
    'audit',
    '--ovn-nb',
    world.northbound,
    '--kubernetes',
    world.kubernetes,
    '--output',
    'json',
  ]);
  process.stderr.write(
    `steward audit: ${measured.seconds.toFixed(1)} s (${measured.cpuSeconds.toFixed(1)} s of processor time), ${measured.rssMiB.toFixed(0)} MiB\n`,
  );
  checkAnswer(measured, world);
  return measured;
}
