import type { ActionState } from '@ovn-steward/contracts/actions/action';

/** Which actions: all by default. */
export interface ActionFilter {
  readonly cluster?: string | undefined;
  readonly rule?: string | undefined;
  readonly state?: ActionState | undefined;
  readonly code?: string | undefined;
  readonly plan?: string | undefined;
  /** The uid of what was acted on. */
  readonly subject?: string | undefined;
  /** The id begins with this. */
  readonly id?: string | undefined;
}

type Named = Pick<ActionFilter, 'cluster' | 'rule' | 'state' | 'code' | 'plan' | 'subject'>;

/** The same in SQL. */
export function condition({ id, ...named }: ActionFilter): {
  readonly where: string;
  readonly values: string[];
} {
  const given = Object.entries(named satisfies Named).filter(
    (it): it is [string, string] => it[1] !== undefined,
  );
  const where = ['1', ...given.map(([column]) => `${column} = ?`)];
  const values = given.map(([, value]) => value);
  if (id !== undefined) {
    where.push('substr(id, 1, length(?)) = ?');
    values.push(id, id);
  }
  return { where: where.join(' AND '), values };
}
