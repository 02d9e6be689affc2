import { counted } from '@ovn-steward/shared/counted';
import { Failure } from '@ovn-steward/shared/errors';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { causesText } from '@ovn-steward/contracts/findings/by-cause';
import { safeText } from '@ovn-steward/shared/safe-text';
import { uninstalledText } from '@ovn-steward/shared/settings/uninstalled';
import { parseAllDocuments, stringify } from 'yaml';
import { type Plan, type PlanEntry, planOf } from './plan';

/** As large as the log takes, and some comments. */
const MOST_CHARACTERS = 32 * 1_048_576;

/** So many entries are named at the top of a file; the rest are below it, as all are. */
const MOST_NAMED = 100;

/** One entry on one line: what is done to which thing, and what is wrong with it. */
export const entryText = ({ action, target, what }: PlanEntry): string =>
  safeText(
    `${action} ${describe(target)}${target.part === undefined ? '' : ` [${target.part.key}]`}: ${what}`,
    500,
  );

/**
 * A plan as a file: YAML that says at its top what it is and how to go on.
 * @param foreseen what would become of it now (`foreseenText`).
 */
export function planText(plan: Plan, rate: string, foreseen: readonly string[] = []): string {
  return `${header(plan, rate, foreseen)
    .map((line) => `# ${line}`.trimEnd())
    .join('\n')}\n${stringify(plan, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

function header(plan: Plan, rate: string, foreseen: readonly string[]): string[] {
  const { id, cluster, identity, entries, counts, leftOut, createdAt, expiresAt } = plan;
  const unripe = entries
    .filter((it) => it.ripeAt > createdAt)
    .map((it) => it.ripeAt)
    .sort();
  const left = leftOut.reduce((sum, it) => sum + it.count, 0);
  return [
    `Plan ${id.slice(0, 12)} of ovn-steward for the cluster ${safeText(cluster)}: ${counted(entries.length, 'action')}.`,
    '',
    ...counts.map(({ rule, count }) => `  ${String(count).padStart(6)}  ${safeText(rule)}`),
    ...section('Of one cause:', causesText(entries)),
    '',
    'Nothing was done yet. Read the entries; they are done in this order, leaves before roots:',
    ...entries.slice(0, MOST_NAMED).map((it) => `  ${entryText(it)}`),
    ...(entries.length > MOST_NAMED
      ? [`  and ${entries.length - MOST_NAMED} more, each below with its proof`]
      : []),
    '',
    safeText(rate),
    ...foreseen,
    ...(unripe.length === 0
      ? []
      : [
          `${unripe.length} of them ${unripe.length === 1 ? 'was' : 'were'} seen only once: nothing is done about the last of them before ${unripe.at(-1)}.`,
        ]),
    '',
    `To have it carried out:   steward apply <this file> --by <your name>   (--dry-run only checks)`,
    `Good until ${expiresAt}, for the Northbound ${safeText(identity.northbound)} and the Kubernetes cluster ${safeText(identity.kubernetes)} only.`,
    ...(plan.uninstalled === true
      ? [
          `It rests on the statement that Kube-OVN was uninstalled from that cluster on purpose: who carries it out needs --uninstalled ${uninstalledText(identity)} as well.`,
        ]
      : []),
    'It is refused as a whole when anything it is about has moved since, or when it was edited: make another instead.',
    'You may delete comments, and add a line "signedBy: <name>" at its end.',
    `To have it put back:      steward undo ${id.slice(0, 12)}…   (the whole id is below)`,
    ...(left === 0
      ? []
      : [
          '',
          `${left} left out:`,
          ...leftOut.map(
            ({ reason, count }) => `  ${String(count).padStart(6)}  ${safeText(reason)}`,
          ),
        ]),
    '',
  ];
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((it) => `  ${safeText(it)}`)];

/**
 * Reads a plan from the text of its file.
 * @throws Failure `plan-invalid` when it is no plan, `plan-altered` when it is not as it was made.
 */
export function readPlan(text: string, where: string): Plan {
  const [document, ...more] = text.length > MOST_CHARACTERS ? [] : parsed(text, where);
  if (document === undefined || more.length > 0)
    throw new Failure(
      'plan-invalid',
      `${where} does not hold one plan. Make one with steward plan --out.`,
    );
  return planOf(document, where);
}

function parsed(text: string, where: string): unknown[] {
  try {
    const documents = [...parseAllDocuments(text)];
    const [error] = documents.flatMap((it) => it.errors);
    if (error !== undefined) throw error;
    return documents.map((it): unknown => it.toJS({ maxAliasCount: 0 }));
  } catch (error) {
    const line = (error as { linePos?: readonly { readonly line: number }[] }).linePos?.[0]?.line;
    throw new Failure(
      'plan-invalid',
      `${where} is not YAML${line === undefined ? '' : `, line ${line}`}: it is damaged, or no plan. Make one with steward plan --out.`,
      { cause: error },
    );
  }
}
