import type { Command } from 'commander';
import { Option } from 'commander';
import { EXIT } from '../process/exit-codes';
import type { InputOptions } from '../inputs/options';
import { withInputs } from '../inputs/options';
import { settingsFrom } from '../inputs/settings';
import { safeText } from '@ovn-steward/shared/safe-text';
import { indentedJson } from '@ovn-steward/shared/indented-json';

/** `steward config`: every setting as it stands, and where it came from; secrets masked. */
export function configCommand(program: Command, done: (code: number) => void): void {
  withInputs(
    program.command('config').description('show the effective settings and where each came from'),
  )
    .option('--state-dir <folder>', 'the folder for the log and all state')
    .addOption(
      new Option('-o, --output <form>', 'how to show them')
        .choices(['table', 'json'])
        .default('table'),
    )
    .action((options: InputOptions & { readonly output: string; readonly stateDir?: string }) => {
      const { effective } = settingsFrom(options);
      if (options.output === 'json') process.stdout.write(indentedJson(effective));
      else
        for (const effectiveSetting of effective)
          process.stdout.write(
            `${effectiveSetting.path.padEnd(26)} ${safeText(JSON.stringify(effectiveSetting.value) ?? '(not set)').padEnd(24)} ${effectiveSetting.origin}\n`,
          );
      done(EXIT.nothingFound);
    });
}
