import { type Command, Option } from 'commander';
import type { Keeping } from '@ovn-steward/contracts/control/keeping';
import { safeText } from '@ovn-steward/shared/safe-text';
import { channelOf, type ChannelOptions, withChannel, withServer } from '../inputs/decisions';
import { readStanding } from '../inputs/standing';
import { deciderText } from '../output/decider-text';
import { selectorWords } from '../output/selector-words';
import { EXIT } from '../process/exit-codes';

interface SuppressionsOptions extends ChannelOptions {
  readonly output: 'text' | 'json';
}

/** `steward suppressions`: what people suppressed or protected, and what the settings switch off. */
export function suppressionsCommand(program: Command, done: (code: number) => void): void {
  withServer(
    withChannel(
      program
        .command('suppressions')
        .description('show what is suppressed or protected: what, why, by whom and until when'),
    ),
  )
    .option('--cluster <name>', 'the cluster it is about')
    .option('--config <file>', 'settings as YAML or JSON; see steward config')
    .addOption(
      new Option('-o, --output <form>', 'how to report').choices(['text', 'json']).default('text'),
    )
    .action(async (options: SuppressionsOptions) => {
      const channel = await channelOf(options);
      const { kept } = await readStanding(channel);
      // Over HTTP the settings of the server are not known.
      const rules =
        channel.server === undefined
          ? channel.config.rules.filter((it) => it.enabled === false)
          : [];
      process.stdout.write(
        options.output === 'json'
          ? `${JSON.stringify({ cluster: channel.cluster, kept, switchedOff: rules }, null, 2)}\n`
          : [
              ...(kept.length === 0 ? ['Nothing is suppressed or protected.'] : []),
              ...kept.flatMap(linesOf),
              ...(rules.length === 0
                ? []
                : [
                    `The settings switch off ${rules.length} besides (rules): steward config shows them.`,
                  ]),
              '',
            ].join('\n'),
      );
      done(EXIT.nothingFound);
    });
}

const linesOf = ({ kind, selector, reason, at, until, ...decider }: Keeping): readonly string[] => [
  `${kind === 'suppress' ? 'Suppressed' : 'Protected'}: ${safeText(selectorWords(selector))}`,
  `  why    ${safeText(reason)}`,
  `  by     ${deciderText(decider)}${at === '' ? '' : `, since ${safeText(at)}`}`,
  `  until  ${until === null ? `somebody ends it with steward un${kind}` : safeText(until)}`,
];
