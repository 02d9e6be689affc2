import {
  isEmpty,
  type Restored,
  type RestoreView,
  selectedRows,
} from '@ovn-steward/backup/restore';
import { type RowDifference } from '@ovn-steward/backup/difference';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from './colours';

/** Rows of one sort that are named one by one; --output json has all. */
const MOST = 20;

const WORDS = { missing: 'missing', changed: 'changed', new: 'new' } as const;

/**
 * The difference between a backup and the living database, and what restoring it would do, for a
 * person.
 */
export function restoreText(view: RestoreView): string {
  const rows = selectedRows(view);
  const { takenAt, path, identity } = view.backup;
  return [
    `${safeText(path, 500)}, taken ${takenAt?.toISOString() ?? 'at an unknown time'}${identity === undefined ? '' : ` of ${safeText(identity)}`}`,
    ...(rows.length === 0
      ? ['The living database has every row as the backup has it, and no other.']
      : [...summary(rows), ...details(rows)]),
    ...(view.difference.foreign.size > 0
      ? [
          `The living database has no place for what the backup has in: ${safeText([...view.difference.foreign].join(', '), 1000)}`,
        ]
      : []),
    ...remadeText(view),
    ...planned(view),
    ...hints(view, rows),
    '',
  ].join('\n');
}

/** One line for each table and owner. */
function summary(rows: readonly RowDifference[]): string[] {
  const groups = new Map<
    string,
    { table: string; owner: string; missing: number; changed: number; new: number }
  >();
  for (const row of rows) {
    const key = JSON.stringify([row.table, row.owner]);
    const group = groups.get(key) ?? {
      table: row.table,
      owner: row.owner,
      missing: 0,
      changed: 0,
      new: 0,
    };
    group[row.is] += 1;
    groups.set(key, group);
  }
  const line = (cells: readonly (string | number)[]): string =>
    `  ${safeText(String(cells[0])).padEnd(30)} ${safeText(String(cells[1])).padEnd(16)} ${cells
      .slice(2)
      .map((it) => String(it).padStart(8))
      .join(' ')}`;
  return [
    pc.bold(line(['table', 'owner', 'missing', 'changed', 'new'])),
    ...[...groups.values()].map((it) => line([it.table, it.owner, it.missing, it.changed, it.new])),
  ];
}

function details(rows: readonly RowDifference[]): string[] {
  return (['missing', 'changed', 'new'] as const).flatMap((is) => {
    const of = rows.filter((it) => it.is === is);
    if (of.length === 0) return [];
    const rest = of.length - MOST;
    return [
      '',
      pc.bold(WORDS[is]),
      ...of.slice(0, MOST).map(detail),
      ...(rest > 0 ? [`  and ${rest} more (--output json has all)`] : []),
    ];
  });
}

const detail = ({ table, uuid, name, owner, ownerBefore, columns, kept }: RowDifference): string =>
  `  ${safeText(`${table} ${name === '' ? uuid : `${name} (${uuid})`}, ${ownerBefore === undefined ? owner : `${owner}, was ${ownerBefore}`}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`, 500)}${kept ? pc.dim(' (a person keeps it)') : ''}`;

function remadeText({ remade }: RestoreView): string[] {
  if (remade.length === 0) return [];
  const line = ({ table, name, owner, was, is }: RestoreView['remade'][number]): string =>
    `  ${safeText(`${table}${name === '' ? '' : ` ${name}`}, ${owner}: ${is}, was ${was}`, 500)}`;
  return [
    '',
    pc.bold('Recreated by their owner: a restore adds what they lack, and nothing else'),
    ...remade.slice(0, MOST).map(line),
    ...(remade.length > MOST ? [`  and ${remade.length - MOST} more (--output json has all)`] : []),
  ];
}

function planned({ plan, selection }: RestoreView): string[] {
  const limited = (all: RestoreView['plan']['leftOut']): string[] => [
    ...all.slice(0, MOST).map((it) => `  ${safeText(`${it.table} ${it.uuid}: ${it.says}`, 500)}`),
    ...(all.length > MOST ? [`  and ${all.length - MOST} more (--output json has all)`] : []),
  ];
  return [
    '',
    isEmpty(plan)
      ? 'Restoring would write nothing.'
      : `Restoring would put back ${plan.inserts.length} rows, set columns of ${plan.updates.length} rows, and remove ${plan.removals.length}.`,
    ...(plan.leftOut.length > 0 ? ['', pc.bold('Left as they are'), ...limited(plan.leftOut)] : []),
    ...(plan.losses.length > 0
      ? ['', pc.bold('References that do not come back'), ...limited(plan.losses)]
      : []),
    ...(selection.removeNew
      ? []
      : [
          'New rows stay; --remove-new removes them, also those recreated, and puts the former ones back under their own uuids.',
        ]),
  ];
}

function hints({ plan }: RestoreView, rows: readonly RowDifference[]): string[] {
  if (isEmpty(plan) || !rows.some((it) => it.owner === 'kube-ovn')) return [];
  return [
    "Among them are rows of Kube-OVN's. Its controller goes by Kubernetes objects: what no object stands for it may remove again, and what it makes again has other uuids. Put the objects right first, or stop it meanwhile.",
  ];
}

/** The same for a machine, with every row. */
export const restoreJson = (
  view: RestoreView,
  written: (Pick<Restored, 'moved' | 'unread'> & { readonly backup: string }) | null,
): string => {
  const { backup, snapshot, remade, difference, plan } = view;
  return `${JSON.stringify(
    {
      backup: {
        path: backup.path,
        takenAt: backup.takenAt?.toISOString() ?? null,
        identity: backup.identity ?? null,
        verified: backup.facts !== undefined,
      },
      database: snapshot.identity,
      rows: selectedRows(view),
      remade,
      foreign: [...difference.foreign],
      plan: {
        inserts: plan.inserts.map(({ table, uuid }) => ({ table, uuid })),
        updates: plan.updates.map(({ table, uuid, columns }) => ({
          table,
          uuid,
          columns: [...columns.keys()],
        })),
        removals: plan.removals,
        leftOut: plan.leftOut,
        losses: plan.losses,
      },
      written,
    },
    null,
    2,
  )}\n`;
};
