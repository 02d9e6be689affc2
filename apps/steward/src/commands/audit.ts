import type { Command } from 'commander';
import { Option } from 'commander';
import { auditDocument } from '@ovn-steward/analyzer';
import { exitCodeOf } from '../process/exit-codes';
import type { InputOptions } from '../inputs/options';
import { withInputs, withUninstalled } from '../inputs/options';
import { settingsFrom } from '../inputs/settings';
import { auditTable } from '../output/audit-table';
import { readCluster } from './read-cluster';
import { secondsOf } from '../inputs/seconds';

interface AuditOptions extends InputOptions {
  readonly output: 'table' | 'json' | 'ndjson';
  readonly timeout: number;
}

/** `steward audit`: one read of a database and a cluster, live or recorded; nothing is written. */
export function auditCommand(program: Command, done: (code: number) => void): void {
  withUninstalled(
    withInputs(
      program
        .command('audit')
        .description('compare OVN and Kubernetes once, and report findings; changes nothing'),
    ),
  )
    .addOption(
      new Option('-o, --output <form>', 'how to report')
        .choices(['table', 'json', 'ndjson'])
        .default('table'),
    )
    .option('--timeout <seconds>', 'how long to wait for live sources', secondsOf, 120)
    .action(async (options: AuditOptions) => {
      const { config } = settingsFrom(options);
      const engine = await readCluster(options, config, options.timeout);
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
