import { releasesTable } from './releases-table';
import { isClean, type Trial } from './trial';

/** Where and of what it was made. */
export interface Environment {
  readonly version: string;
  readonly commit: string;
  /** RFC 3339, the day. */
  readonly day: string;
  readonly node: string;
  readonly platform: string;
  readonly command: string;
}

/** With how often it was tried, where that was not once. */
const asItShould = ({ right, nth }: Trial): string =>
  `${right ? 'yes' : '**no**'}${nth === undefined ? '' : `, tried ${nth} times`}`;

const row = (trial: Trial): string => {
  const { what, amount, accused, deleted, missed, command } = trial;
  return `| ${what} | ${amount} | ${accused} | ${deleted} | ${missed} | ${asItShould(trial)} | \`${command}\` |`;
};

const total = (trials: readonly Trial[], of: 'accused' | 'deleted' | 'missed'): number =>
  trials.reduce((sum, it) => sum + it[of], 0);

/** The certificate: what was tried, and what of it went wrong. It says so where something did. */
export function certificatePage(trials: readonly Trial[], where: Environment): string {
  const wrong = trials.filter((it) => !isClean(it));
  return `# Certificate

Made by \`${where.command}\` and not edited. ovn-steward ${where.version}, commit ${where.commit}, ${where.day}, Node ${where.node}, ${where.platform}.

| | |
|---|---|
| Trials | ${trials.length} |
| Wrong accusations | ${total(trials, 'accused')} |
| Wrong deletions | ${total(trials, 'deleted')} |
| Missed faults | ${total(trials, 'missed')} |
| Trials of parts that were tried again, since something in them went wrong | ${trials.filter((it) => it.nth !== undefined).length} |
| Trials in which anything else went wrong | ${trials.filter((it) => !it.right).length} |

${wrong.length === 0 ? 'Nothing that lives, and nothing of others, was accused or removed.' : `**Not clean**: ${wrong.map((it) => it.what).join(', ')}.`}

An accusation is a finding of class \`garbage\` or \`leak\` about something that is to be kept. A fault is missed when it was planted and no rule names it; of the recordings of Kube-OVN before v1.15 these are
rows that carry no tag, which are kept on purpose. Steps, seeds and seconds are in each command. What a release of Kube-OVN was not tried with is not in this table.

## By release

${releasesTable(trials)}

## Every trial

| What | How much | Accused | Deleted | Missed | As it should | Again with |
|---|---|---|---|---|---|---|
${trials.map(row).join('\n')}
`;
}
