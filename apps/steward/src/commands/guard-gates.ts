import type { Command } from 'commander';
import { followGates } from '@ovn-steward/guard/follow-gates';
import { onceWhileRepeating } from '@ovn-steward/guard/once-while-repeating';
import { type GateEvent, PodGates } from '@ovn-steward/guard/pod-gates';
import { type Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { durationMs } from '@ovn-steward/shared/duration-ms';
import { Failure } from '@ovn-steward/shared/errors';
import { safeText } from '@ovn-steward/shared/safe-text';
import { EXIT } from '../process/exit-codes';
import { guardedKubernetes, type GuardedOptions, withGuarded } from '../inputs/guarded-kubernetes';
import { policiesNamed } from '../inputs/policies';
import { shownAndWritten } from './shown-and-written';
import { interrupted } from '../process/interrupted';
import { reportOption } from '../inputs/report-option';

interface GuardGatesOptions extends GuardedOptions {
  readonly install?: boolean;
  readonly yes?: boolean;
  readonly podTimeout: string;
  readonly output: 'text' | 'ndjson';
}

/**
 * `steward guard gates`: the controller that lifts the gates of held pods alone, in the foreground,
 * until interrupted.
 */
export function guardGatesCommand(parent: Command, done: (code: number) => void): void {
  withGuarded(
    parent
      .command('gates')
      .description(
        'lift our scheduling gate from pods as soon as their subnet is ready, until interrupted; needs only Kubernetes, and with --ovn-nb checks that both are one cluster',
      ),
  )
    .option('--install', 'first install the policy pod-gate, as `guard install pod-gate` does')
    .option('--yes', 'with --install: write it without asking')
    .option(
      '--pod-timeout <duration>',
      'lift the gate after this time even if the subnet is not ready; never: do not',
      '30m',
    )
    .addOption(reportOption(['text', 'ndjson']))
    .action(async (options: GuardGatesOptions) => {
      const timeoutMs = timeoutOf(options);
      if (options.yes && !options.install)
        throw new Failure(
          'config-invalid',
          '--yes is an answer to what --install asks: give both, or neither.',
        );
      done(await liftGates(timeoutMs, options));
    });
}

/** Undefined: never. @throws Failure `config-invalid`. */
function timeoutOf({ podTimeout }: GuardGatesOptions): number | undefined {
  const timeoutMs = podTimeout === 'never' ? undefined : durationMs(podTimeout);
  if (timeoutMs === undefined && podTimeout !== 'never')
    throw new Failure(
      'config-invalid',
      `--pod-timeout ${podTimeout} is not a duration: write a number with a unit, such as 30m, or never.`,
    );
  return timeoutMs;
}

/** @returns the exit code. */
async function liftGates(
  timeoutMs: number | undefined,
  options: GuardGatesOptions,
): Promise<number> {
  const guarded = guardedKubernetes(options, (refused) => {
    if (options.output === 'ndjson') process.stdout.write(`${JSON.stringify(refused)}\n`);
  });
  const { kubernetes } = guarded;
  const stop = interrupted();
  const onEvent = gateEventPrinter(options);
  try {
    // Wrong credentials, addresses or pairs end it; what comes later is tried again.
    await kubernetes.identity(stop.signal);
    await guarded.check(stop.signal);
    if (options.install && !(await installed(kubernetes, options, stop.signal)))
      return EXIT.findings;
    process.stderr.write(
      'Lifting the gates of pods; Ctrl-C ends it, and those that are held stay held.\n',
    );
    await followGates(
      {
        kubernetes,
        gates: new PodGates({ kubernetes, timeoutMs, now: () => performance.now(), onEvent }),
        onEvent,
      },
      stop.signal,
    );
    return EXIT.nothingFound;
  } finally {
    stop.end();
    await guarded.close();
  }
}

/** Prints what becomes of gates, and a failure once while it repeats. */
function gateEventPrinter({ output }: GuardGatesOptions): (event: GateEvent) => void {
  const isNew = onceWhileRepeating();
  return (event) => {
    if (event.type === 'pods-held') return;
    if (event.type === 'pod-gate')
      return void process.stdout.write(
        output === 'ndjson' ? `${JSON.stringify(event)}\n` : line(event),
      );
    if (isNew(event.error)) process.stderr.write(`guard: ${safeText(event.error, 500)}\n`);
  };
}

/**
 * Whether the policy is in force as it should be, or was made so.
 * @throws Failure `guard-refused` where the server has no such policies.
 */
async function installed(
  kubernetes: Kubernetes,
  { yes, output }: GuardGatesOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { states, due, written } = await shownAndWritten(
    policiesNamed(['pod-gate']),
    kubernetes,
    {
      yes: yes === true,
      show: (text) => void (output === 'ndjson' ? process.stderr : process.stdout).write(text),
    },
    signal,
  );
  if (states.some((it) => it.is === 'not-served'))
    throw new Failure(
      'guard-refused',
      'This API server has no MutatingAdmissionPolicy, so nothing can hold pods as they are made. Name the subnet in the pod template instead (docs/network-ready.md); without --install, gates that templates carry are lifted.',
    );
  if (due.length > 0 && !written)
    process.stderr.write(
      'Nothing was written, and no gate is lifted. To write it, run the command again with --yes.\n',
    );
  return due.length === 0 || written;
}

const WORDS = { held: 'held     ', lifted: 'lifted   ', 'timed-out': 'timed out' } as const;

const line = ({ did, pod, reason }: Extract<GateEvent, { type: 'pod-gate' }>): string =>
  `${WORDS[did]} Pod ${safeText(`${pod.namespace}/${pod.name}`)}: ${safeText(reason)}\n`;
