import type { Plan } from '@ovn-steward/executor';
import { confirmed, type Terminal } from '../inputs/confirmed';
import { doctorText } from './doctor-text';
import { planSummary } from '../output/plan-summary';
import type { Diagnosis } from './diagnosis';

export interface AgreedOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly output: 'text' | 'json';
}

/** Where a round is shown: on standard output, unless a program reads that. */
const screen = (output: AgreedOptions['output']): NodeJS.WritableStream =>
  output === 'text' ? process.stdout : process.stderr;

/**
 * Whether a round is to be done. At a terminal the person sees it, the first time with the tree it
 * comes from, and confirms. Without a terminal, the call itself is the consent. A dry run shows the
 * round and returns false.
 */
export async function agreed(
  round: number,
  plan: Plan,
  diagnosis: Diagnosis,
  { yes = false, dryRun = false, output }: AgreedOptions,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
  show = screen(output),
): Promise<boolean> {
  const isAsked = !yes && !dryRun && terminal.input.isTTY === true;
  if (isAsked || (dryRun && output === 'text'))
    show.write(
      `${round === 1 ? `${doctorText(diagnosis, new Date())}\n` : ''}Round ${round}. ${planSummary(plan)}`,
    );
  else if (output === 'text')
    show.write(`Round ${round}: ${plan.entries.length} to do, plan ${plan.id.slice(0, 12)}\n`);
  return isAsked ? confirmed({}, `Carry out round ${round}?`, terminal) : !dryRun;
}
