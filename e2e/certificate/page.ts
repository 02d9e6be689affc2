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
| Trials made again, since something of their part went wrong before | ${trials.filter((it) => it.nth !== undefined).length} |
| Trials in which anything else went wrong | ${trials.filter((it) => !it.right).length} |

${wrong.length === 0 ? 'No trial accused or removed anything that is in use or belongs to others.' : `**Not clean**: ${wrong.map((it) => it.what).join(', ')}.`}

Accused: a finding of class \`garbage\` or \`leak\` about something that is to be kept. Deleted: such a thing was removed. Missed: a fault was planted, and no rule found it. In the recordings of Kube-OVN before
v1.15 the missed ones are rows without a tag that shows whose they are; such rows are kept on purpose. A release of Kube-OVN has only the trials listed here. Each command says its steps, seeds and seconds.

## By release

${releasesTable(trials)}

## Every trial

| Trial | Amount | Accused | Deleted | Missed | Otherwise right | Command |
|---|---|---|---|---|---|---|
${trials.map(row).join('\n')}
`;
}
