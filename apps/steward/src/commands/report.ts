import type { Command } from 'commander';
import { Option } from 'commander';
import { auditDocument } from '@ovn-steward/analyzer';
import { EXIT, exitCodeOf } from '../process/exit-codes';
import { withChannel } from '../inputs/decisions';
import { withInputs, withUninstalled } from '../inputs/options';
import { knownCluster, type KnownCluster, type KnownClusterOptions } from './known-cluster';
import { secondsOf } from '../inputs/seconds';
import { printPaged, withPager } from '../output/paged';
import { printDoubt } from '../output/print-doubt';
import { writePieces } from '../output/write-pieces';
import { htmlReport } from '../report/html-report';
import { jsonPieces } from '../report/json-report';
import { markdownReport } from '../report/markdown-report';
import { ocsfReport } from '../report/ocsf-report';
import { openReports } from '../report/open-reports';
import { type Report, type ReportInput, reportOf } from '../report/report';
import { sarifReport } from '../report/sarif-report';
import { textReport } from '../report/text-report';
import { subnetReports } from '../subnets/subnet-reports';

const FORMS: Readonly<Record<string, (report: Report) => Iterable<string>>> = {
  text: textReport,
  markdown: markdownReport,
  json: jsonPieces,
  sarif: sarifReport,
  ocsf: ocsfReport,
  openreports: openReports,
  html: htmlReport,
};

interface ReportOptions extends KnownClusterOptions {
  readonly output: string;
  readonly pager?: boolean;
}

/** `steward report`: all findings with what they have in common, as text, Markdown, JSON, a page or what other programs read; nothing is written but that. */
export function reportCommand(program: Command, done: (code: number) => void): void {
  withPager(
    withUninstalled(
      withInputs(
        withChannel(
          program
            .command('report')
            .description(
              'report all findings by class, cause, tenant and age, with lost addresses and the forecast',
            ),
        ),
      ),
    ),
  )
    .addOption(
      new Option('-o, --output <form>', 'how to report')
        .choices(Object.keys(FORMS))
        .default('text'),
    )
    .option('--timeout <seconds>', 'how long to wait for live sources', secondsOf, 120)
    .action(async (options: ReportOptions) => {
      const report = reportOf(input(await knownCluster(options)));
      const pieces = FORMS[options.output]!(report);
      if (options.output === 'text') printPaged([...pieces].join(''), options);
      else await writePieces(pieces);
      printDoubt(report.doubt ?? undefined);
      const code = exitCodeOf(report.findings, report.unknowns);
      done(code === EXIT.nothingFound && report.doubt !== null ? EXIT.couldNotKnow : code);
    });
}

const input = ({ engine, cluster, readFrom, doubt }: KnownCluster): ReportInput => ({
  document: auditDocument(engine, cluster),
  subnets: subnetReports(engine),
  subnetsComplete: engine.world.knows('Subnet'),
  readFrom,
  doubt,
});
