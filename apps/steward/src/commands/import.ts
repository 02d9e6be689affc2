import type { Command } from 'commander';
import { EXIT } from '../process/exit-codes';
import { settingsFrom } from '../inputs/settings';
import { importState } from '../state/import-state';

interface ImportCommandOptions {
  readonly config?: string;
  readonly stateDir?: string;
}

/** `steward import`: puts what `steward export` wrote into a new state directory. */
export function importCommand(program: Command, done: (code: number) => void): void {
  program
    .command('import')
    .description('put an exported state into a state directory that holds none yet')
    .argument('<folder>', 'what steward export wrote')
    .option('--config <file>', 'YAML file with settings')
    .option('--state-dir <folder>', 'the state directory; made when missing')
    .action(async (folder: string, options: ImportCommandOptions) => {
      const { stateDir } = settingsFrom(options).config;
      const { manifest, rebuilt } = await importState(folder, stateDir);
      const { cluster, version, takenAt } = manifest;
      process.stdout.write(
        [
          `${stateDir}: the state of cluster ${cluster} as of ${takenAt}, exported by version ${version}.`,
          ...(rebuilt.length > 0
            ? [
                `Of another format, and built again from the log at the start: ${rebuilt.join(', ')}`,
              ]
            : []),
          `Next: steward run --state-dir ${stateDir} --cluster ${cluster} with the same sources`,
          '',
        ].join('\n'),
      );
      done(EXIT.nothingFound);
    });
}
