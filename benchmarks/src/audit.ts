import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditDocument } from '@ovn-steward/contracts/audit';
import { ALL, meanCosts } from './costs';
import { findingsIn, loadWorld, plantedIn } from './load-world';
import { type Measured, runMeasured } from './measured-process';
import { podLives } from './pod-life';
import { inTurns } from './rounds';
import { STEWARD } from './steward';
import { type WrittenWorld, writeWorld } from './world/write-world';

/** What the goals are about. */
interface AuditFigures {
  readonly ports: number;
  readonly pods: number;
  /** Wall time and peak memory of one `steward audit` of files, process start and end included. */
  readonly seconds: number;
  readonly rssMiB: number;
  /** The mean cost of one change to a pod, its port or its IP object in a world of this size. */
  readonly secondsPerChange: number;
  /** That cost over the cost in a world of 1,000 ports. */
  readonly costRatio: number;
}

const SMALL = 1000;
const SAMPLES = 200;
const FOUND_SOMETHING = 2;

const note = (text: string): void => void process.stderr.write(`${text}\n`);

/** A wrong answer is not worth measuring. */
function checkAnswer({ exitCode, stdout }: Measured, world: WrittenWorld): void {
  if (exitCode !== FOUND_SOMETHING)
    throw new Error(`steward audit ended with ${exitCode}, not with ${FOUND_SOMETHING} (findings)`);
  const { findings, unknowns } = JSON.parse(stdout) as AuditDocument;
  const [found, planted] = [findingsIn(findings), plantedIn(world)];
  const [missed, invented] = [
    planted.filter((it) => !found.includes(it)),
    found.filter((it) => !planted.includes(it)),
  ];
  if (missed.length + invented.length + unknowns.length > 0) {
    throw new Error(
      `steward audit missed ${missed.length} findings (${missed[0]}), invented ${invented.length} (${invented[0]}) and left ${unknowns.length} open (${unknowns[0]?.reason})`,
    );
  }
  note(`found exactly the ${planted.length} planted findings`);
}

const micros = (seconds: number): string => `${(seconds * 1e6).toFixed(0)} µs`;
const round = (number: number, digits: number): number => Number(number.toFixed(digits));

async function costPerChange(
  world: WrittenWorld,
  small: WrittenWorld,
): Promise<{ seconds: number; ratio: number }> {
  const engines = [await loadWorld(small), await loadWorld(world)];
  const [before, after] = inTurns(
    engines.map((engine) => () => meanCosts(engine, podLives(engine, SAMPLES))),
  );
  const kinds = [...after!.keys()]
    .filter((it) => it !== ALL)
    .sort((one, other) => after!.get(other)! - after!.get(one)!);
  for (const kind of kinds)
    note(
      `${kind}: ${micros(after!.get(kind)!)}, with ${small.ports} ports ${micros(before!.get(kind)!)}`,
    );
  note(`worst kind of change: ${kinds[0]}, ${micros(after!.get(kinds[0]!)!)}`);
  return { seconds: after!.get(ALL)!, ratio: after!.get(ALL)! / before!.get(ALL)! };
}

/** Writes a world, audits it in a process of its own, checks the answer, then measures changes to it. @throws Error when the answer is wrong. */
export async function benchAudit({ ports }: { readonly ports: number }): Promise<AuditFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'));
  try {
    const world = await writeWorld(join(folder, 'world'), { ports });
    const small = await writeWorld(join(folder, 'small'), { ports: SMALL });
    const measured = await runMeasured(STEWARD, [
      'audit',
      '--ovn-nb',
      world.northbound,
      '--kubernetes',
      world.kubernetes,
      '--output',
      'json',
    ]);
    note(
      `steward audit: ${measured.seconds.toFixed(1)} s (${measured.cpuSeconds.toFixed(1)} s of processor time), ${measured.rssMiB.toFixed(0)} MiB`,
    );
    checkAnswer(measured, world);
    const change = await costPerChange(world, small);
    return {
      ports,
      pods: world.pods,
      seconds: round(measured.seconds, 2),
      rssMiB: round(measured.rssMiB, 1),
      secondsPerChange: round(change.seconds, 7),
      costRatio: round(change.ratio, 2),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
