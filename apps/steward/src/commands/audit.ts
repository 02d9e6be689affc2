import type { Command } from 'commander';
import { isOpen } from '@ovn-steward/client';
import type { AuditDocument } from '@ovn-steward/contracts/audit';
import { auditDocument } from '@ovn-steward/analyzer';
import { exitCodeOf } from '../process/exit-codes';
import type { InputOptions } from '../inputs/options';
import { withInputs, withUninstalled } from '../inputs/options';
import { settingsFrom } from '../inputs/settings';
import { chosenDocument } from '../inputs/chosen-document';
import { type FindingsFilter, withFindingsFilter } from '../inputs/findings-filter';
import { auditTable } from '../output/audit-table';
import { findingsMarkdown, findingsWide } from '../output/findings-list';
import { isForPeople, type ListForm, outputOption } from '../inputs/list-form';
import { listText } from '../output/list-forms';
import { printPaged, withPager } from '../output/paged';
import { fitted } from '../output/terminal';
import { readCluster } from './read-cluster';
import { secondsOption } from '../inputs/seconds';
import { withOptions } from '../inputs/with-options';

interface AuditOptions extends InputOptions, FindingsFilter {
  readonly output: ListForm;
  readonly timeout: number;
  readonly pager?: boolean;
}

/** `steward audit`: one read of a database and a cluster, live or recorded; nothing is written. */
export function auditCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('audit [findings...]')
      .description('compare OVN and Kubernetes once, and report findings; changes nothing'),
    withInputs,
    withUninstalled,
    withFindingsFilter,
    withPager,
  )
    .addOption(outputOption())
    .addOption(secondsOption('--timeout <duration>', 'how long to wait for live sources', 120))
    .action(async (ids: readonly string[], options: AuditOptions) => {
      const { config } = settingsFrom(options);
      const engine = await readCluster(options, config, options.timeout);
      const all = auditDocument(engine, config.cluster);
      const document = chosenDocument(all, { ...options, ids });
      const text = rendered(document, options.output);
      if (isForPeople(options.output)) printPaged(text, options);
      else process.stdout.write(text);
      done(exitCodeOf(document.findings, document.unknowns));
    });
}

function rendered(document: AuditDocument, form: ListForm): string {
  const open = document.findings.filter(isOpen);
  return listText(form, {
    document,
    items: document.findings,
    table: () => fitted(auditTable(document)),
    wide: () => fitted(auditTable(document, open.length === 0 ? '' : findingsWide(open))),
    markdown: () => findingsMarkdown(open),
  });
}
