import { type Command, Option } from 'commander';
import { isOpen } from '@ovn-steward/client';
import { counted } from '@ovn-steward/shared/counted';
import { safeText } from '@ovn-steward/shared/safe-text';
import { EXIT } from '../process/exit-codes';
import { readTable } from '../stream/consumer-table';
import { readStream, RECORDED_STREAM } from '../stream/recorded-stream';
import { type FindingDifference, findingsIn, tableDifferences } from '../stream/table-differences';

/**
 * `steward stream check`: whether the table of a consumer that read a replayed stream holds what it
 * must hold.
 */
export function streamCheckCommand(parent: Command, done: (code: number) => void): void {
  parent
    .command('check')
    .argument('<file>', 'the rows of the table: JSON with id, revision and state')
    .description('compare the table of a consumer with what it must hold after the replay')
    .addOption(
      new Option('--stream <file>', 'the stream, one record a line').default(
        RECORDED_STREAM,
        'examples/stream/findings.ndjson',
      ),
    )
    .action((file: string, { stream: path }: { readonly stream: string }) => {
      const stream = readStream(path);
      const differences = tableDifferences(stream, readTable(file));
      const open = findingsIn(stream).filter(isOpen).length;
      process.stdout.write(
        differences.length === 0
          ? `The table is right: it has the ${open} open findings in their last revision and state.\n`
          : `${differences.map(differenceText).join('')}${counted(differences.length, 'difference')} from the ${open} open findings.\n`,
      );
      done(differences.length === 0 ? EXIT.nothingFound : EXIT.findings);
    });
}

const differenceText = ({ id, problem, sent }: FindingDifference): string =>
  `${safeText(id)}\n  ${safeText(problem)}\n${
    sent.length === 0
      ? '  the stream has no record under this key\n'
      : `  sent: ${sent.map((it) => safeText(it)).join('; then ')}\n`
  }`;
