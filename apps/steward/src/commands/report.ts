import type { Command } from 'commander';
import { Option } from 'commander';
import { auditDocument } from '@ovn-steward/analyzer';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { Failure } from '@ovn-steward/shared/errors';
import { EXIT, exitCodeOf } from '../process/exit-codes';
import { channelOf, type ChannelOptions, withChannel } from '../inputs/decisions';
import { doubtAboutMemory } from '../inputs/memory-age';
import { withInputs, withUninstalled } from '../inputs/options';
import { readCluster } from './read-cluster';
import { readMemory } from '../inputs/read-memory';
import { secondsOf } from '../inputs/seconds';
import { settingsFrom } from '../inputs/settings';
import { printDoubt } from '../output/print-doubt';
import { writePieces } from '../output/write-pieces';
import { htmlReport } from '../report/html-report';
import { jsonPieces } from '../report/json-report';
import { markdownReport } from '../report/markdown-report';
import { type Report, type ReportInput, reportOf } from '../report/report';
import { sarifReport } from '../report/sarif-report';
import { textReport } from '../report/text-report';
import { subnetReports } from '../subnets/subnet-reports';

const FORMS: Readonly<Record<string, (report: Report) => Iterable<string>>> = {
  text: textReport,
  markdown: markdownReport,
  json: jsonPieces,
  sarif: sarifReport,
  html: htmlReport,
};

interface ReportOptions extends ChannelOptions {
  readonly output: string;
  readonly timeout: number;
}

/** `steward report`: all findings with what they have in common, as text, Markdown, JSON, SARIF or a page; nothing is written but that. */
export function reportCommand(program: Command, done: (code: number) => void): void {
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
  )
    .addOption(
      new Option('-o, --output <form>', 'how to report')
        .choices(Object.keys(FORMS))
        .default('text'),
    )
    .option('--timeout <seconds>', 'how long to wait for live sources', secondsOf, 120)
    .action(async (options: ReportOptions) => {
      const report = reportOf(await read(options));
      await writePieces(FORMS[options.output]!(report));
      printDoubt(report.doubt ?? undefined);
      const code = exitCodeOf(report.findings, report.unknowns);
      done(code === EXIT.nothingFound && report.doubt !== null ? EXIT.couldNotKnow : code);
    });
}

/** What a pipeline knows where one is named, else one read of the systems. */
async function read(options: ReportOptions): Promise<ReportInput> {
  const fromMemory = options.stateDir !== undefined || options.kafkaBrokers !== undefined;
  if (fromMemory && options.ovnNb !== undefined)
    throw new Failure(
      'config-invalid',
      'Both a pipeline and --ovn-nb were given: name --state-dir or --kafka-brokers for what it knows, or --ovn-nb and --kubernetes for a new look.',
    );
  if (!fromMemory) {
    const { config } = settingsFrom(options);
    const engine = await readCluster(options, config, options.timeout);
    return input(engine, config.cluster, 'look', undefined);
  }
  const channel = await channelOf(options);
  const engine = await readMemory(channel);
  return input(engine, channel.cluster, 'memory', await doubtAboutMemory(channel));
}

const input = (
  engine: Engine,
  cluster: string,
  readFrom: ReportInput['readFrom'],
  doubt: string | undefined,
): ReportInput => ({
  document: auditDocument(engine, cluster),
  subnets: subnetReports(engine),
  subnetsComplete: engine.world.knows('Subnet'),
  readFrom,
  doubt,
});
