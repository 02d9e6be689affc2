import { type Command, Option } from 'commander';
import { followGates, type GateEvent, podGates } from '@ovn-steward/executor';
import { durationMs } from '@ovn-steward/shared/duration-ms';
import { Failure } from '@ovn-steward/shared/errors';
import { safeText } from '@ovn-steward/shared/safe-text';
import { EXIT } from '../exit-codes';
import { type KubernetesOptions, kubernetesOf, withKubernetes } from '../inputs/kubernetes';
import { interrupted } from '../interrupted';

interface GuardGatesOptions extends KubernetesOptions {
  readonly podTimeout: string;
  readonly output: 'text' | 'ndjson';
}

/** `steward guard gates`: the controller that lifts the gates of held pods alone, in the foreground, until interrupted. */
export function guardGatesCommand(parent: Command, done: (code: number) => void): void {
  withKubernetes(parent.command('gates').description('lift our scheduling gate from pods as soon as their subnet is ready, until interrupted; needs Kubernetes and nothing else'))
    .option('--pod-timeout <duration>', 'after so long a pod is let go though its subnet is not ready; never: not at all', '30m')
    .addOption(new Option('--output <form>', 'how to report').choices(['text', 'ndjson']).default('text'))
    .action(async (options: GuardGatesOptions) => {
      const timeoutMs = options.podTimeout === 'never' ? undefined : durationMs(options.podTimeout);
      if (timeoutMs === undefined && options.podTimeout !== 'never') throw new Failure('config-invalid', `--pod-timeout ${options.podTimeout} is not a duration: write a number with a unit, such as 30m, or never.`);
      const kubernetes = kubernetesOf(options);
      const stop = interrupted();
      let failed = '';
      const onEvent = (event: GateEvent): void => {
        if (event.type === 'pods-held') return;
        if (event.type === 'pod-gate') return void process.stdout.write(options.output === 'ndjson' ? `${JSON.stringify(event)}\n` : line(event));
        if (failed !== event.error) process.stderr.write(`guard: ${safeText(event.error, 500)}\n`);
        failed = event.error;
      };
      try {
        await kubernetes.identity(stop.signal); // wrong credentials or addresses end it; what comes later is tried again
        process.stderr.write('Lifting the gates of pods; Ctrl-C ends it, and those that are held stay held.\n');
        await followGates({ kubernetes, gates: podGates({ kubernetes, timeoutMs, now: () => performance.now(), onEvent }), onEvent }, stop.signal);
        done(EXIT.nothingFound);
      } finally {
        stop.end();
        await kubernetes.close();
      }
    });
}

const WORDS = { held: 'held     ', lifted: 'lifted   ', 'timed-out': 'timed out' } as const;

const line = ({ did, pod, reason }: Extract<GateEvent, { type: 'pod-gate' }>): string => `${WORDS[did]} Pod ${safeText(`${pod.namespace}/${pod.name}`)}: ${safeText(reason)}\n`;
