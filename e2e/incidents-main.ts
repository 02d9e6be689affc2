import type { Incident } from './incidents/incident';
import { INCIDENTS } from './incidents/registry';
import { type IncidentRun, isAsReported, runIncident } from './incidents/run-incident';
import { exitWith } from './support/exit-with';

const NAMES = INCIDENTS.map((it) => it.name);
const USAGE = `usage: npm run -s e2e -- incidents [--only <name>] [--output text|json]\nincidents: ${NAMES.join(', ')}\n`;

interface Arguments {
  readonly chosen: readonly Incident[];
  readonly json: boolean;
}

function argumentsOf([what, ...words]: readonly string[]): Arguments | undefined {
  let chosen = INCIDENTS;
  let json = false;
  if (what !== 'incidents') return undefined;
  for (let at = 0; at < words.length; at += 2) {
    const flag = words[at];
    const value = words[at + 1];
    if (flag === '--only' && value !== undefined && NAMES.includes(value))
      chosen = INCIDENTS.filter((it) => it.name === value);
    else if (flag === '--output' && (value === 'json' || value === 'text')) json = value === 'json';
    else return undefined;
  }
  return { chosen, json };
}

const line = (run: IncidentRun): string =>
  `${isAsReported(run) ? 'ok  ' : 'FAIL'} ${run.seconds.toFixed(0).padStart(3)} s  ${run.incident.name}: without: ${run.unprotected.join('; ')} | ${run.incident.answer} by ${run.incident.command}: ${run.guarded.join('; ')}\n`;

/**
 * Every incident twice, without and with ovn-steward, one line each; 0 when each ended as the
 * incident says.
 */
async function main(words: readonly string[]): Promise<number> {
  const given = argumentsOf(words);
  if (given === undefined) {
    process.stderr.write(USAGE);
    return 1;
  }
  const runs: IncidentRun[] = [];
  for (const incident of given.chosen) {
    const run = await runIncident(incident);
    runs.push(run);
    if (!given.json) process.stdout.write(line(run));
  }
  if (given.json) {
    process.stdout.write(
      `${JSON.stringify(runs.map((run) => ({ name: run.incident.name, asTold: isAsReported(run), answer: run.incident.answer, command: run.incident.command, unprotected: run.unprotected, guarded: run.guarded, seconds: Number(run.seconds.toFixed(1)) })))}\n`,
    );
  }
  return runs.every(isAsReported) ? 0 : 1;
}

exitWith(main);
