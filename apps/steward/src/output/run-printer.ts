import type { ExecutorActivity } from '@ovn-steward/executor';
import type { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';
import { safeText } from '@ovn-steward/shared/safe-text';
import { endingText, executorText, findingText } from './run-text';

/** Prints what a run finds and does: findings on standard output, troubles on standard error. */
export class RunPrinter {
  readonly #output: 'text' | 'ndjson';
  #removed = 0;
  #lastTrouble = '';

  constructor(output: 'text' | 'ndjson') {
    this.#output = output;
  }

  /** Prints a trouble, unless it was the last one already. */
  report(source: string, message: string): void {
    if (this.#lastTrouble !== message)
      process.stderr.write(`${source}: ${safeText(message, 500)}\n`);
    this.#lastTrouble = message;
  }

  executor(event: ExecutorActivity): void {
    const reported = executorText(event);
    if (reported?.on === 'note') this.report(reported.of, reported.text);
    else if (reported !== undefined && this.#output === 'text')
      process.stdout.write(`${reported.text}\n`);
    if (event.type === 'action' && event.action.state === 'done') this.#removed += 1;
  }

  findings(findings: readonly Finding[]): void {
    for (const finding of findings)
      process.stdout.write(
        this.#output === 'ndjson' ? `${JSON.stringify(finding)}\n` : `${findingText(finding)}\n`,
      );
  }

  /** What is left open, what could not be judged, and how much was removed. */
  ending(open: readonly Finding[], unknowns: readonly Unknown[], stateDir: string): void {
    if (this.#output === 'text')
      process.stdout.write(endingText(open, unknowns.length, this.#removed, stateDir));
  }
}
