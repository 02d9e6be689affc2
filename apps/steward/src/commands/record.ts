import { join } from 'node:path';
import type { Command } from 'commander';
import { privateFolder } from '@ovn-steward/shared/private-files';
import { EXIT } from '../process/exit-codes';
import type { InputOptions } from '../inputs/options';
import { withInputs } from '../inputs/options';
import { settingsFrom } from '../inputs/settings';
import { recordCluster, recordDatabase } from '../inputs/record';
import { startProgress } from '../output/progress';
import { secondsOption } from '../inputs/seconds';

interface RecordOptions extends InputOptions {
  readonly out: string;
  readonly timeout: number;
}

/**
 * `steward record`: a folder that `audit` and `run` read as if it were the living system; secrets
 * and pods' environment are not in it.
 */
export function recordCommand(program: Command, done: (code: number) => void): void {
  withInputs(
    program
      .command('record')
      .description('record live sources into a folder that audit and run can read'),
  )
    .requiredOption('--out <folder>', 'where to write; must not hold a recording yet')
    .addOption(secondsOption('--timeout <duration>', 'how long to wait for the sources', 120))
    .action(async (options: RecordOptions) => {
      const { config } = settingsFrom(options);
      const progress = startProgress('recorded');
      privateFolder(options.out);
      const timeout = options.timeout * 1000;
      const written: string[] = [];
      // The database first: what Kubernetes reports afterwards is never older than the ports that
      // it is compared with.
      for (const [id, database, name] of [
        ['ovn-nb', config.ovnNb, 'nb.db'],
        ['ovn-sb', config.ovnSb, 'sb.db'],
      ] as const) {
        if (database.remote === undefined) continue;
        written.push(
          `${name}: ${await recordDatabase({ id, database, path: join(options.out, name), timeoutMs: timeout })} rows`,
        );
      }
      const kubeconfig = options.kubernetes ?? config.kubernetes.kubeconfig;
      const cluster = {
        folder: options.out,
        timeoutMs: timeout,
        report: progress.report,
        ...(kubeconfig === undefined ? {} : { kubeconfig }),
        ...(config.kubernetes.context === undefined ? {} : { context: config.kubernetes.context }),
      };
      const { objects, missing } = await recordCluster(cluster).finally(progress.end);
      written.push(`kubernetes.json: ${objects} objects`);
      process.stdout.write(
        `${written.join('\n')}\n${missing.length > 0 ? `Not in it, and said so in listed.json: ${missing.join('; ')}\n` : ''}Next: steward audit --ovn-nb ${join(options.out, 'nb.db')} --kubernetes ${options.out}\n`,
      );
      done(missing.length > 0 ? EXIT.couldNotKnow : EXIT.nothingFound);
    });
}
