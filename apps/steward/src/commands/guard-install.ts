import { type Command, Option } from 'commander';
import { installPolicy, type Kubernetes, manifestText, type Standing, standingOf } from '@ovn-steward/executor';
import { Failure } from '@ovn-steward/shared/errors';
import { EXIT } from '../exit-codes';
import { confirmed } from '../inputs/confirmed';
import { type KubernetesOptions, kubernetesOf, withKubernetes } from '../inputs/kubernetes';
import { policiesNamed } from '../inputs/policies';
import { installJson, installText } from '../output/guard-install-text';
import { secondsOf } from './seconds';

interface InstallOptions extends KubernetesOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly timeout: number;
  readonly output: 'text' | 'json';
}

/** `steward guard install`: shows what each policy does and what would be written; writes it once that is confirmed. */
export function guardInstallCommand(parent: Command, done: (code: number) => void): void {
  withKubernetes(parent.command('install').argument('[policies...]', 'only these, by their ids; those that guard VPCs unless told').description('show the policies that the API server would keep, and write them; without --yes, or a yes at the terminal, nothing is written'))
    .option('--dry-run', 'only show')
    .option('--yes', 'write them without asking')
    .option('--timeout <seconds>', 'how long it may take, waiting for an answer included', secondsOf, 120)
    .addOption(new Option('--output <form>', 'how to report').choices(['text', 'json']).default('text'))
    .action(async (ids: readonly string[], options: InstallOptions) => {
      const policies = policiesNamed(ids).filter((it) => ids.length > 0 || it.onlyByName !== true);
      const kubernetes = kubernetesOf(options);
      const signal = AbortSignal.timeout(options.timeout * 1000);
      try {
        const standings: Standing[] = [];
        for (const policy of policies) standings.push(await standingOf(policy, kubernetes, signal));
        const due = standings.filter((it) => manifestText(it) !== '');
        if (options.output === 'text') process.stdout.write(installText(standings));
        const written = due.length > 0 && (await confirmed(options, `Write ${due.length === 1 ? 'it' : 'them'}?`));
        if (written) await installAll(due, kubernetes, signal);
        if (options.output === 'json') process.stdout.write(installJson(standings, written));
        else process.stdout.write(ending(due, written));
        done((due.length > 0 && !written) || standings.some((it) => it.is === 'not-served') ? EXIT.findings : EXIT.nothingFound);
      } finally {
        await kubernetes.close();
      }
    });
}

/** All or, where a name is taken, none. @throws Failure `guard-refused`, `source-forbidden`. */
async function installAll(due: readonly Standing[], kubernetes: Kubernetes, signal: AbortSignal): Promise<void> {
  const foreign = due.filter((it) => it.is === 'foreign').map(({ policy }) => `ovn-steward-${policy.id}`);
  if (foreign.length > 0) throw new Failure('guard-refused', `${foreign.join(', ')}: there is a policy or a binding of that name which is not ours (it has no label app.kubernetes.io/managed-by=ovn-steward). Nothing was written. Look at it, and rename or remove it if it may go.`);
  for (const it of due) await installPolicy(it, kubernetes, signal);
}

const ending = (due: readonly Standing[], written: boolean): string =>
  due.length === 0 ? 'Nothing to write.\n' : written ? `Written: ${due.map(({ policy }) => policy.id).join(', ')}. In force within seconds.\n` : 'Nothing was written. To write it, say it again with --yes.\n';
