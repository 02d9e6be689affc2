import type { Command } from 'commander';
import { Option } from 'commander';
import { auditDocument } from '@ovn-steward/analyzer';
import { exitCodeOf } from '../process/exit-codes';
import type { InputOptions } from '../inputs/options';
import { withInputs, withUninstalled } from '../inputs/options';
import { settingsFrom } from '../inputs/settings';
import { inputsFrom } from '../inputs/sources';
import { auditTable } from '../output/audit-table';
import { startProgress } from '../output/progress';
import { readWorld } from '../inputs/read-world';
import { secondsOf } from '../inputs/seconds';

/** Long enough for a leader change, short enough for a person who mistyped an address. */
const UNREACHABLE_AFTER_MS = 10_000;

interface AuditOptions extends InputOptions {
  readonly output: 'table' | 'json' | 'ndjson';
  readonly timeout: number;
}

/** `steward audit`: one look at a database and a cluster, live or recorded; nothing is written. */
export function auditCommand(program: Command, done: (code: number) => void): void {
  withUninstalled(
    withInputs(program.command('audit').description('look once, report, change nothing')),
  )
    .addOption(
      new Option('--output <form>', 'how to report')
        .choices(['table', 'json', 'ndjson'])
        .default('table'),
    )
    .option('--timeout <seconds>', 'how long to wait for live sources', secondsOf, 120)
    .action(async (options: AuditOptions) => {
      const { config } = settingsFrom(options);
      const progress = startProgress('read');
      const inputs = inputsFrom(options, config, {
        note: progress.note,
        unreachableAfterMs: Math.min(UNREACHABLE_AFTER_MS, options.timeout * 500),
      });
      const engine = await readWorld(inputs, config, {
        timeoutMs: options.timeout * 1000,
        onProgress: progress.update,
      }).finally(progress.end);
      const document = auditDocument(engine, config.cluster);
      process.stdout.write(rendered(document, options.output));
      done(exitCodeOf(document.findings, document.unknowns));
    });
}

function rendered(
  document: ReturnType<typeof auditDocument>,
  output: AuditOptions['output'],
): string {
  if (output === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  if (output === 'ndjson') return document.findings.map((it) => `${JSON.stringify(it)}\n`).join('');
  return auditTable(document);
}
