import type { ChannelOptions } from '../inputs/decisions';
import { shellWord } from './shell-word';

/**
 * The options that say where the log, the settings and the systems are; without them undo would use
 * others.
 */
const WHERE = {
  stateDir: '--state-dir',
  kafkaBrokers: '--kafka-brokers',
  config: '--config',
  cluster: '--cluster',
  ovnNb: '--ovn-nb',
  ovnCa: '--ovn-ca',
  ovnCert: '--ovn-cert',
  ovnKey: '--ovn-key',
  kubernetes: '--kubernetes',
  context: '--context',
} as const satisfies Partial<Record<keyof ChannelOptions, string>>;

/**
 * The command that has a plan put back, as it can be copied into a shell: where that one was said
 * on the command line, it is said again.
 */
export const undoHint = (plan: string, options: ChannelOptions): string =>
  [
    'steward undo',
    plan,
    ...Object.entries(WHERE).flatMap(([name, flag]) => {
      const value = options[name as keyof typeof WHERE];
      return value === undefined ? [] : [flag, shellWord(value)];
    }),
  ].join(' ');
