import { join } from 'node:path';
import type { Command } from 'commander';
import { readCheckpoint } from '@ovn-steward/analyzer';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { EXIT } from '../process/exit-codes';
import type { HistoryEntry } from '../inputs/history';
import { historyFromDatabase, historyFromLog } from '../inputs/history';
import type { InputOptions } from '../inputs/options';
import { withInputs, withUninstalled } from '../inputs/options';
import { pickById } from '../inputs/pick-by-id';
import { isRemote, settingsFrom } from '../inputs/settings';
import { inputsFrom } from '../inputs/sources';
import { explanation } from '../output/explanation';
import { FILES } from '../inputs/state-files';
import { readWorld } from '../inputs/read-world';

interface ExplainOptions extends InputOptions {
  readonly stateDir?: string;
}

const TIMEOUT_MS = 120_000;

/** `steward explain <finding>`: the proof, whose the subject is and why, and what is recorded of its past. */
export function explainCommand(program: Command, done: (code: number) => void): void {
  withUninstalled(
    withInputs(
      program
        .command('explain <finding>')
        .description('show why something was found; <finding> is an id or the beginning of one'),
    ),
  )
    .option(
      '--state-dir <folder>',
      "look the finding up in a pipeline's memory instead of taking a new look",
    )
    .action(async (id: string, options: ExplainOptions) => {
      const { finding, history } =
        options.ovnNb === undefined ? fromState(id, options) : await fromLook(id, options);
      process.stdout.write(
        explanation(
          finding,
          RULES.find((it) => it.id === finding.rule)?.about ?? '',
          await history,
        ),
      );
      done(EXIT.findings);
    });
}

function fromState(
  id: string,
  options: ExplainOptions,
): { finding: Finding; history: Promise<HistoryEntry[]> } {
  const { config } = settingsFrom(options);
  const finding = pick(id, readCheckpoint(join(config.stateDir, FILES.checkpoint)).findings);
  return { finding, history: historyFromLog(join(config.stateDir, FILES.log), finding) };
}

async function fromLook(
  id: string,
  options: ExplainOptions,
): Promise<{ finding: Finding; history: Promise<HistoryEntry[]> }> {
  const { config } = settingsFrom(options);
  const engine = await readWorld(inputsFrom(options, config), config, { timeoutMs: TIMEOUT_MS });
  const finding = pick(id, engine.findings());
  const file = options.ovnNb !== undefined && !isRemote(options.ovnNb) ? options.ovnNb : undefined;
  return {
    finding,
    history: file === undefined ? Promise.resolve([]) : historyFromDatabase(file, finding),
  };
}

const pick = (id: string, findings: readonly Finding[]): Finding =>
  pickById(
    id,
    findings,
    'finding',
    'steward findings, or steward audit --output json on the same inputs',
  );
