import type { Command } from 'commander';
import { stringify } from 'yaml';
import { EXIT, exitCodeOf } from '../process/exit-codes';
import { chosenDocument } from '../inputs/chosen-document';
import { withChannel, withServer } from '../inputs/decisions';
import { type FindingsFilter, withFindingsFilter } from '../inputs/findings-filter';
import { withInputs, withUninstalled } from '../inputs/options';
import { knownCluster, type KnownCluster, type KnownClusterOptions } from './known-cluster';
import { secondsOption } from '../inputs/seconds';
import { findingsWide } from '../output/findings-list';
import { printPaged, withPager } from '../output/paged';
import { printDoubt } from '../output/print-doubt';
import { fitted } from '../output/terminal';
import { writePieces } from '../output/write-pieces';
import { htmlReport } from '../report/html-report';
import { jsonPieces } from '../report/json-report';
import { markdownReport } from '../report/markdown-report';
import { ocsfReport } from '../report/ocsf-report';
import { openReports } from '../report/open-reports';
import { type Report, type ReportInput, reportOf } from '../report/report';
import { sarifReport } from '../report/sarif-report';
import { textReport } from '../report/text-report';
import { reportOption } from '../inputs/report-option';
import { withOptions } from '../inputs/with-options';

const FORMS: Readonly<Record<string, (report: Report) => Iterable<string>>> = {
  text: textReport,
  table: textReport,
  wide: (report) => [
    ...textReport({ ...report, findings: [] }),
    '\n',
    findingsWide(report.findings),
  ],
  markdown: markdownReport,
  json: jsonPieces,
  ndjson: ({ findings }) => findings.map((it) => `${JSON.stringify(it)}\n`),
  yaml: (report) => [stringify(report)],
  sarif: sarifReport,
  ocsf: ocsfReport,
  openreports: openReports,
  html: htmlReport,
};

interface ReportOptions extends KnownClusterOptions, FindingsFilter {
  readonly output: string;
  readonly pager?: boolean;
}

/**
 * `steward report`: all findings with what they have in common, as text, Markdown, JSON, a page or
 * what other programs read; nothing is written but that.
 */
export function reportCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('report [findings...]')
      .description(
        'report all findings by class, cause, tenant and age, with lost addresses and the forecast',
      ),
    withChannel,
    withServer,
    withInputs,
    withUninstalled,
    withFindingsFilter,
    withPager,
  )
    .addOption(reportOption(Object.keys(FORMS)))
    .addOption(secondsOption('--timeout <duration>', 'how long to wait for live sources', 120))
    .action(async (ids: readonly string[], options: ReportOptions) => {
      const report = reportOf(await inputOf(await knownCluster(options), { ...options, ids }));
      const pieces = FORMS[options.output]!(report);
      if (FOR_PEOPLE.has(options.output)) printPaged(fitted([...pieces].join('')), options);
      else await writePieces(pieces);
      printDoubt(report.doubt ?? undefined);
      const code = exitCodeOf(report.findings, report.unknowns);
      done(code === EXIT.nothingFound && report.doubt !== null ? EXIT.couldNotKnow : code);
    });
}

const FOR_PEOPLE: ReadonlySet<string> = new Set(['text', 'table', 'wide']);

async function inputOf(known: KnownCluster, filter: FindingsFilter): Promise<ReportInput> {
  const { readFrom, doubt } = known;
  const { subnets, complete } = await known.subnets();
  const document = chosenDocument(await known.document(), filter);
  return { document, subnets, subnetsComplete: complete, readFrom, doubt };
}
