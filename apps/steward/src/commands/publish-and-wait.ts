import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Control } from '@ovn-steward/contracts/control/control';
import { readSeconds } from '../inputs/seconds';
import { EXIT } from '../process/exit-codes';
import { type Channel, type DecisionOptions, publishDecisions } from '../inputs/decisions';
import { waitHeard } from '../inputs/wait-heard';
import { reportDecisions } from '../output/decision-text';

export interface WaitOptions {
  /** Seconds; 0: does not wait for an executor. */
  readonly wait: number;
}

/** An executor reads a decision within a second; one that is taking over needs some more. */
const WAIT_S = 10;

/** The option of the commands that wait until a decision is heard. */
export const withWait = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--wait <duration>',
        'how long to wait until the acting executor confirms; 0 does not wait',
      )
        .argParser(waitOf)
        .default(WAIT_S, `${WAIT_S}s`),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 the executor that acts acknowledged it, or none was waited for; 3 it did not do so in that time, or none runs; 1 error.',
    );

function waitOf(text: string): number {
  const seconds = readSeconds(text);
  if (seconds === undefined || seconds < 0 || seconds > 3600)
    throw new InvalidArgumentError('give a time from 0 to 1h, such as 30s, 1m30s or 90 (seconds)');
  return seconds;
}

/**
 * Publishes a hold or resume, waits until an executor reads it, and reports which did.
 * @returns the exit code.
 * @throws Failure as publishing does.
 */
export async function publishAndWait(
  control: Control,
  line: string,
  channel: Channel,
  { wait, output }: WaitOptions & Pick<DecisionOptions, 'output'>,
): Promise<number> {
  const receipt = await publishDecisions(channel, [control]);
  const by = wait === 0 ? undefined : await waitHeard(control, channel, receipt, wait * 1000);
  const heard = by && { by, waited: wait };
  reportDecisions({ lines: [line], controls: [control], receipt, heard }, channel, output);
  return by === undefined || by.all ? EXIT.nothingFound : EXIT.couldNotKnow;
}
