import { type Command, Option } from 'commander';
import { type KubernetesOptions, kubernetesOf, withKubernetes } from '../inputs/kubernetes';
import { observe } from '../wait/still-missing';
import { WAIT_EXIT, waitedJson, waitedText } from '../wait/report';
import { waitUntil } from '../wait/wait-until';
import { PURPOSES, wantedOf } from '../wait/wanted';
import { reportOption } from '../inputs/report-option';

interface WaitOptions extends KubernetesOptions {
  readonly for: string;
  readonly namespace?: string;
  readonly pod: readonly string[];
  readonly timeout: string;
  readonly output: 'text' | 'json';
}

/**
 * `steward wait`: ends when a network is ready, for init containers, hooks of Helm, and scripts;
 * reads a few objects and changes nothing.
 */
export function waitCommand(program: Command, done: (code: number) => void): void {
  withKubernetes(
    program
      .command('wait')
      .description(
        'wait until a Subnet is ready for pods, or pods have an address of it; says what it waits for',
      ),
  )
    .argument('<subnet>', 'subnet/ and its name')
    .addOption(new Option('--for <what>', 'what to wait for').choices(PURPOSES).default('ready'))
    .option(
      '-n, --namespace <name>',
      'for ready: also until this namespace is bound to the subnet; otherwise the namespace of pods named without one',
    )
    .option(
      '--pod <namespace/name>',
      'for pod-addressed: this pod; may be given several times',
      (one: string, before: readonly string[]) => [...before, one],
      [],
    )
    .option('--timeout <duration>', 'how long at most (30s, 5m, 1h); 0s checks once', '5m')
    .addOption(reportOption())
    .action(async (subject: string, options: WaitOptions) => {
      const wanted = wantedOf({ ...options, subject });
      const cluster = kubernetesOf(options);
      try {
        const waited = await waitUntil({
          observe: (signal) => observe(wanted, cluster.get, signal),
          print: (line) => process.stderr.write(`${line}\n`),
          timeoutMs: wanted.timeoutMs,
        });
        if (options.output === 'json') process.stdout.write(waitedJson(wanted, waited));
        else process[waited.there ? 'stdout' : 'stderr'].write(waitedText(wanted, waited));
        done(waited.there ? WAIT_EXIT.there : WAIT_EXIT.notInTime);
      } finally {
        await cluster.close();
      }
    });
}
