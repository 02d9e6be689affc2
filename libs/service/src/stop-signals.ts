import type { Logger } from './log/logger';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export interface StopSignals {
  /** Settles at the first SIGTERM or SIGINT. A second one ends the process at once, with exit code 1. */
  readonly asked: Promise<void>;
  /** Leaves signals to the process again. */
  ignore(): void;
}

export function stopSignals(logger: Logger): StopSignals {
  let heard = false;
  let tell: () => void;
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const listen = (signal: NodeJS.Signals): void => {
    if (heard) {
      logger.warn('ending at once', { signal });
      process.exit(1);
    }
    heard = true;
    logger.info('stopping', { signal });
    tell();
  };
  for (const signal of SIGNALS) process.on(signal, listen);
  return {
    asked,
    ignore: () => {
      for (const signal of SIGNALS) process.off(signal, listen);
    },
  };
}
