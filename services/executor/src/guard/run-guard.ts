import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@ovn-steward/shared/errors';
import type { Kubernetes } from '../kubernetes/kubernetes';
import { readDenials } from './denials';
import { type GuardOptions, guardVpcs } from './guard-vpcs';

export interface RunGuardOptions extends GuardOptions {
  readonly kubernetes: GuardOptions['kubernetes'] & Pick<Kubernetes, 'samples'>;
}

/** An API server may have megabytes to tell of itself. */
const COUNT_EVERY_MS = 300_000;

/** Keeps the guard of Vpcs, and says what the policies refused, until the signal fires. */
export async function runGuard(options: RunGuardOptions, signal: AbortSignal): Promise<void> {
  const { kubernetes, onEvent } = options;
  const count = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        onEvent({ type: 'guard-denials', denials: await readDenials(kubernetes, signal) });
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Failure)) throw error; // without the right to read it there is no count, and nothing else is amiss
      }
      await sleep(COUNT_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all([guardVpcs(options, signal), count()]);
}
