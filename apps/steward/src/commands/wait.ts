import { type Command, Option } from 'commander';
import { liveKubernetes } from '@ovn-steward/systems/kubernetes/live-kubernetes';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { Failure } from '@ovn-steward/shared/errors';
import { isKubeconfig } from '../inputs/kubernetes-input';
import { observe } from '../wait/still-missing';
import { WAIT_EXIT, waitedJson, waitedText } from '../wait/report';
import { waitUntil } from '../wait/wait-until';
import { PURPOSES, wantedOf } from '../wait/wanted';

interface WaitOptions {
  readonly for: string;
  readonly namespace?: string;
  readonly pod: readonly string[];
  readonly timeout: string;
  readonly kubernetes?: string;
  readonly context?: string;
  readonly output: 'text' | 'json';
}

/** `steward wait`: ends when a network is ready, for init containers, hooks of Helm, and scripts; reads a few objects and changes nothing. */
export function waitCommand(program: Command, done: (code: number) => void): void {
  program
    .command('wait')
    .description(
      'wait until a Subnet is ready for pods, or pods have an address of it; says what it waits for',
    )
    .argument('<subnet>', 'subnet/ and its name')
    .addOption(new Option('--for <what>', 'what to wait for').choices(PURPOSES).default('ready'))
    .option(
      '--namespace <name>',
      'for ready: also until this namespace is bound to the subnet; otherwise the namespace of pods named without one',
    )
    .option(
      '--pod <namespace/name>',
      'for pod-addressed: this pod; may be given several times',
      (one: string, before: readonly string[]) => [...before, one],
      [],
    )
    .option('--timeout <duration>', 'how long at most (30s, 5m, 1h); 0s checks once', '5m')
    .option(
      '--kubernetes <where>',
      'a kubeconfig; by default KUBECONFIG, ~/.kube/config, or the service account of the pod',
    )
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(
      new Option('-o, --output <form>', 'how to report').choices(['text', 'json']).default('text'),
    )
    .action(async (subject: string, { kubernetes, context, output, ...options }: WaitOptions) => {
      const wanted = wantedOf({ ...options, subject });
      if (kubernetes !== undefined && !isKubeconfig(kubernetes))
        throw new Failure(
          'config-invalid',
          `${kubernetes} is a dump, in which nothing ever becomes ready: give --kubernetes a kubeconfig`,
        );
      const cluster = liveKubernetes({
        access: kubeAccess({
          ...(kubernetes !== undefined && { kubeconfig: kubernetes }),
          ...(context !== undefined && { context }),
        }),
      });
      try {
        const waited = await waitUntil({
          observe: (signal) => observe(wanted, cluster.get, signal),
          say: (line) => process.stderr.write(`${line}\n`),
          timeoutMs: wanted.timeoutMs,
        });
        if (output === 'json') process.stdout.write(waitedJson(wanted, waited));
        else process[waited.there ? 'stdout' : 'stderr'].write(waitedText(wanted, waited));
        done(waited.there ? WAIT_EXIT.there : WAIT_EXIT.notInTime);
      } finally {
        await cluster.close();
      }
    });
}
