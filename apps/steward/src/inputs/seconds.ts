import { InvalidArgumentError } from 'commander';

/** A positive number of seconds from the command line. */
export function secondsOf(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0)
    throw new InvalidArgumentError('give a number of seconds greater than 0');
  return seconds;
}
