import { InvalidArgumentError, Option } from 'commander';
import { durationMs } from '@ovn-steward/shared/duration-ms';

/**
 * A time on the command line in seconds, written as kubectl takes it (`5s`, `1m30s`) or as a number
 * of seconds alone; undefined for anything else.
 */
export function readSeconds(text: string): number | undefined {
  const ms = durationMs(text);
  if (ms !== undefined) return ms / 1000;
  const seconds = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** A time of more than zero from the command line, in seconds. */
export function secondsOf(text: string): number {
  const seconds = readSeconds(text);
  if (seconds === undefined || seconds <= 0)
    throw new InvalidArgumentError(
      'give a time greater than 0, such as 30s, 1m30s or 90 (seconds)',
    );
  return seconds;
}

/** An option that takes such a time, and its default in seconds. */
export const secondsOption = (flags: string, description: string, seconds: number): Option =>
  new Option(flags, description)
    .argParser(secondsOf)
    .default(seconds, seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`);
