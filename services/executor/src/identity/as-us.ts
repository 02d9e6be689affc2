import type { HoldCheck } from '../work/hold-check';
import type { Belonging } from './belonging';

/** Asks who answers before it asks for holds: so whatever is sent was asked both, and nothing lies between a hold and the send. */
export const asUs = ({ check }: Pick<Belonging, 'check'>, holds: HoldCheck): HoldCheck => ({
  async now(about, exception, signal) {
    await check(signal);
    return holds.now(about, exception, signal);
  },
});
