import type { Systems } from '@ovn-steward/systems/systems';
import { Failure } from '@ovn-steward/shared/errors';

/**
 * Takes the Northbound for this process. An executor on another log has holds, approvals and
 * settings that are not known here, so nothing is taken from it unasked.
 * @throws Failure `fenced` where one acts; as taking over does.
 */
export async function takeLock({ northbound }: Systems, signal: AbortSignal): Promise<void> {
  try {
    await northbound.takeOver(signal);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'fenced') throw error;
    throw new Failure(
      'fenced',
      `${error.message} Name its log to have it done there (--kafka-brokers, --state-dir or --config), or stop it; where it is dead and the server has not noticed, add --take-over.`,
      { cause: error },
    );
  }
}
