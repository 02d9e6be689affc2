import { durationMs } from '@ovn-steward/shared/duration-ms';
import { Failure } from '@ovn-steward/shared/errors';
import { LONGEST_MS } from '@ovn-steward/shared/longest-timer';

/** What may be waited for. */
export const PURPOSES = ['ready', 'pod-addressed'] as const;

/** As it is written on a command line; `pod` may be given several times. */
export interface WantedText {
  readonly subject: string;
  readonly for: string;
  readonly namespace?: string | undefined;
  readonly pod: readonly string[];
  readonly timeout: string;
}

/** What is waited for. */
export interface WaitTarget {
  readonly subnet: string;
  readonly for: (typeof PURPOSES)[number];
  /** That is to be bound to the subnet. */
  readonly namespace: string | undefined;
  /** That are to have an address of it. */
  readonly pods: readonly { readonly namespace: string; readonly name: string }[];
  /** Milliseconds. */
  readonly timeoutMs: number;
}

/** A name that the API server may have: part of a path, so nothing else is let through. */
const NAME = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/** @throws Failure `config-invalid`, saying what may be written instead. */
export function wantedOf({
  subject,
  for: purpose,
  namespace,
  pod,
  timeout,
}: WantedText): WaitTarget {
  const [kind = '', subnet = '', ...more] = subject.split('/');
  if (kind !== 'subnet' || more.length > 0)
    throw invalid(`${JSON.stringify(subject)} cannot be waited for: write subnet/ and its name`);
  const wanted = PURPOSES.find((it) => it === purpose);
  if (!wanted) throw invalid(`--for ${purpose}: write ${PURPOSES.join(' or ')}`);
  if (wanted === 'ready' && pod.length > 0)
    throw invalid('--pod is for --for pod-addressed; a namespace is waited for with --namespace');
  if (wanted === 'pod-addressed' && pod.length === 0)
    throw invalid('--for pod-addressed needs --pod <namespace>/<name>, once for each pod');
  const timeoutMs = durationMs(timeout);
  if (timeoutMs === undefined || timeoutMs > LONGEST_MS)
    throw invalid(
      `--timeout ${timeout} is not a duration: write a number with a unit, such as 30s, 15m or 1h30m, at most 24d`,
    );
  const pods = pod.map((it) => podOf(it, namespace));
  for (const name of [
    subnet,
    namespace ?? 'none',
    ...pods.flatMap((it) => [it.namespace, it.name]),
  ])
    if (!NAME.test(name))
      throw invalid(`${JSON.stringify(name)} cannot be the name of a Kubernetes object`);
  return { subnet, for: wanted, namespace, pods, timeoutMs };
}

function podOf(text: string, namespace: string | undefined): { namespace: string; name: string } {
  const [first = '', second, ...more] = text.split('/');
  if (more.length > 0 || (second === undefined && namespace === undefined))
    throw invalid(`--pod ${text}: write <namespace>/<name>`);
  return second === undefined
    ? { namespace: namespace!, name: first }
    : { namespace: first, name: second };
}

const invalid = (message: string): Failure => new Failure('config-invalid', `${message}.`);
