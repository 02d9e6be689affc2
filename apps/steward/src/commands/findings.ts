import { join } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { readCheckpoint } from '@ovn-steward/analyzer';
import { isOpen } from '@ovn-steward/contracts/findings/is-open';
import { channelOf, type ChannelOptions, withChannel } from '../inputs/decisions';
import { chosenFindings, type FindingsFilter, withFindingsFilter } from '../inputs/findings-filter';
import { knownFindings } from '../inputs/known-findings';
import { doubtAboutFolder, doubtAboutMemory } from '../inputs/memory-age';
import { FILES } from '../inputs/state-files';
import { FINDINGS_FORMS } from '../output/findings-list';
import { printDoubt } from '../output/print-doubt';
import { EXIT } from '../process/exit-codes';

interface FindingsOptions extends FindingsFilter, ChannelOptions {
  readonly output: string;
}

/** `steward findings`: what a running or stopped pipeline, or the services on Kafka, know. */
export function findingsCommand(program: Command, done: (code: number) => void): void {
  withFindingsFilter(
    withChannel(
      program
        .command('findings')
        .description('list the findings of a pipeline from its state directory, or from Kafka'),
    )
      .option('--cluster <name>', 'the cluster, where there are several')
      .option('--config <file>', 'settings as YAML or JSON; see steward config'),
  )
    .addOption(
      new Option('-o, --output <form>', 'how to list')
        .choices(Object.keys(FINDINGS_FORMS))
        .default('table'),
    )
    .action(async (options: FindingsOptions) => {
      const channel = await channelOf(options);
      const { stateDir } = channel;
      // A folder holds one cluster, whatever it is called.
      const [findings, doubt] =
        stateDir === undefined
          ? [await knownFindings(channel), await doubtAboutMemory(channel)]
          : [
              readCheckpoint(join(stateDir, FILES.checkpoint)).findings,
              doubtAboutFolder(stateDir, undefined),
            ];
      const chosen = chosenFindings(findings, options, new Date());
      const none = doubt === undefined ? 'No findings.\n' : 'No findings are known.\n';
      process.stdout.write(FINDINGS_FORMS[options.output]!(chosen, none));
      const suppressed = findings.filter((it) => it.state === 'suppressed').length;
      if (suppressed > 0 && options.state === undefined && options.all !== true)
        process.stderr.write(
          `${suppressed} more ${suppressed === 1 ? 'is' : 'are'} suppressed: --state suppressed lists them.\n`,
        );
      printDoubt(doubt);
      const standing = chosen.some(isOpen);
      done(standing ? EXIT.findings : doubt === undefined ? EXIT.nothingFound : EXIT.couldNotKnow);
    });
}
