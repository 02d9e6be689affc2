import { pino } from 'pino';
import { concealing } from './concealing';
import { textLine } from './text-line';

/** Not `message`: that is the sentence's own key, under which a field would be lost. */
export type LogFields = Readonly<Record<string, unknown>> & { readonly message?: never };

/**
 * What a service logs with: a sentence, and what it is about as fields. Errors become their code
 * and message.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** From now on this text is shown as `***` wherever it would appear. */
  conceal(secret: string): void;
  /** The text with `***` in place of what is concealed. */
  shown(text: string): string;
}

export interface LoggerOptions {
  readonly service: string;
  /** Where the process is of one cluster; else each line about one names it. */
  readonly cluster?: string | undefined;
  readonly level: 'error' | 'warn' | 'info' | 'debug';
  /** `json`: one object a line. `text`: for people. */
  readonly format: 'json' | 'text';
  /**
   * Takes whole lines; standard output by default, written at once so that nothing is lost when the
   * process ends.
   */
  readonly write?: (line: string) => void;
}

/** A logger. It never throws: a reader of standard output who went away is no error of ours. */
export function createLogger({
  service,
  cluster,
  level,
  format,
  write = standardOutput(),
}: LoggerOptions): Logger {
  const { conceal, shown } = concealing();
  const destination = {
    write: (line: string) => {
      write(format === 'json' ? line : textLine(line));
    },
  };
  const log = pino(
    {
      level,
      base: { service, ...(cluster === undefined ? {} : { cluster }) },
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  const at =
    (importance: LoggerOptions['level']) =>
    (message: string, fields: LogFields = {}): void => {
      if (log.isLevelEnabled(importance)) log[importance](shown(fields), '%s', shown(message));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    conceal,
    shown,
  };
}

function standardOutput(): (line: string) => void {
  const out = pino.destination({ fd: 1, sync: true });
  out.on('error', () => undefined);
  return (line) => {
    out.write(line);
  };
}
