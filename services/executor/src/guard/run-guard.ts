import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@ovn-steward/shared/errors';
import type { Kubernetes } from '../kubernetes/kubernetes';
import { readDenials } from './denials';
import { type GuardOptions, guardVpcs } from './guard-vpcs';
import { tellDenials } from './tell-denials';

export interface RunGuardOptions extends GuardOptions {
  readonly kubernetes: GuardOptions['kubernetes'] & Pick<Kubernetes, 'samples'>;
  /** The real clock unless told. */
  readonly now?: () => Date;
  /** How often it asks what the policies refused; milliseconds. Default: 5 minutes. */
  readonly countEveryMs?: number;
}

/** An API server may have megabytes to tell of itself. */
const COUNT_EVERY_MS = 300_000;

/** Keeps the guard of Vpcs, and says what the policies refused, also on them, until the signal fires. */
export async function runGuard(options: RunGuardOptions, signal: AbortSignal): Promise<void> {
  const { kubernetes, onEvent, now = () => new Date(), countEveryMs = COUNT_EVERY_MS } = options;
  const tell = tellDenials({ kubernetes, now, onFailure: (error) => onEvent({ type: 'guard-failed', error }) });
  const count = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const denials = await readDenials(kubernetes, signal);
        onEvent({ type: 'guard-denials', denials: denials.byPolicy });
        await tell(denials, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Failure)) throw error; // without the right to read it there is no count, and nothing else is amiss
      }
      await sleep(countEveryMs, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all([guardVpcs(options, signal), count()]);
}
