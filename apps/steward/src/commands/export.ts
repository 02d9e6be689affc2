import type { Command } from 'commander';
import { EXIT } from '../process/exit-codes';
import { settingsFrom } from '../inputs/settings';
import { VERSION } from '../process/version';
import { exportState } from '../state/export-state';

interface ExportCommandOptions {
  readonly config?: string;
  readonly stateDir?: string;
  readonly out: string;
}

/** `steward export`: the state of `steward run` in a folder that `steward import` takes. */
export function exportCommand(program: Command, done: (code: number) => void): void {
  program
    .command('export')
    .description(
      'copy the state of steward run into a folder: findings, actions with their undo records, decisions',
    )
    .option('--config <file>', 'YAML file with settings')
    .option('--state-dir <folder>', 'the state directory to export')
    .requiredOption('--out <folder>', 'where to write; must be empty or not exist')
    .action(async (options: ExportCommandOptions) => {
      const { stateDir } = settingsFrom(options).config;
      const { out: folder } = options;
      const { cluster, files } = await exportState({
        stateDir,
        folder,
        version: VERSION,
        now: new Date(),
      });
      const bytes = files.reduce((sum, it) => sum + it.bytes, 0);
      process.stdout.write(
        `${folder}: ${files.length} files of cluster ${cluster}, ${bytes} bytes.\nNext: steward import ${folder} --state-dir <folder>, where no steward run has worked yet. Do not start the exported one again.\n`,
      );
      done(EXIT.nothingFound);
    });
}
