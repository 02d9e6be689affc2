import type { Logger } from './log/logger';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export interface StopSignals {
  /**
   * Settles at the first SIGTERM or SIGINT. A second one ends the process at once, with exit code
   * 1.
   */
  readonly requested: Promise<void>;
  /** Leaves signals to the process again. */
  ignore(): void;
}

export function stopSignals(logger: Logger): StopSignals {
  let isStopping = false;
  let resolveRequested: () => void;
  const requested = new Promise<void>((resolve) => {
    resolveRequested = resolve;
  });
  const listen = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      logger.warn('ending at once', { signal });
      process.exit(1);
    }
    isStopping = true;
    logger.info('stopping', { signal });
    resolveRequested();
  };
  for (const signal of SIGNALS) process.on(signal, listen);
  return {
    requested,
    ignore: () => {
      for (const signal of SIGNALS) process.off(signal, listen);
    },
  };
}
