import type { Control, Scope } from '@ovn-steward/contracts/control/control';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { Cluster } from '../cluster';
import { ROUTER } from '../cluster';

export interface Place {
  readonly vpc?: string;
  readonly subnet?: string;
}

export type Hold = Extract<Control, { type: 'hold' }>;

/** What an effect is, in the words by which a hold may let it go on. */
export type Purpose = 'removal' | 'undo' | 'put-back' | 'call-off';

export interface HoldsJudge {
  /** A decision that was acknowledged by the log, of somebody who may decide. */
  read(control: Control): void;
  /** Those in force at this instant. It never changes: keep it with what is sent. */
  active(): readonly Hold[];
}

/** The holds of the log by a fold of its own: the last word of each scope counts. */
export function judgeHolds(): HoldsJudge {
  let holds: readonly Hold[] = [];
  const keyOf = ({ scope }: { readonly scope: Scope }): string =>
    JSON.stringify([scope.rule, scope.vpc, scope.subnet]);
  return {
    read(control) {
      if (control.type !== 'hold' && control.type !== 'resume') return;
      const others = holds.filter((it) => keyOf(it) !== keyOf(control));
      holds = control.type === 'hold' ? [...others, control] : others;
    },
    active: () => holds,
  };
}

/** Where a thing certainly is; nothing where the generated cluster does not say. */
export function placeOf(
  { northbound: { database }, kubernetes }: Cluster,
  { kind, uid }: Reference,
): Place {
  if (kind === 'IP') {
    const object = kubernetes.objects('IP').find((it) => it.metadata.uid === uid);
    const { subnet } = (object?.['spec'] ?? {}) as { readonly subnet?: string };
    const port = [...database.rows('Logical_Switch_Port')].find(
      ([, it]) => it['name'] === object?.metadata.name,
    );
    // Where the record and the port are of two subnets, nobody can say which it is in.
    return subnet === undefined || (port && switchOf(database, port[0]) !== subnet)
      ? {}
      : { vpc: ROUTER, subnet };
  }
  const subnet = kind === 'Logical_Switch_Port' ? switchOf(database, uid) : undefined;
  return subnet === undefined ? {} : { vpc: ROUTER, subnet };
}

const switchOf = (
  database: Cluster['northbound']['database'],
  port: string,
): string | undefined => {
  const holder = [...database.rows('Logical_Switch').values()].find((it) =>
    JSON.stringify(it['ports']).includes(port),
  );
  return holder === undefined ? undefined : String(holder['name']);
};

/**
 * The hold that forbids this effect; undefined when none does. A place the referee does not know is
 * not held against anybody.
 * @param now on the clock of who sends: by no other can it know that a hold has ended.
 */
export function forbids(
  holds: readonly Hold[],
  effect: {
    readonly purpose: Purpose;
    readonly rule: string | undefined;
    readonly place: Place;
  },
  now: number,
): Hold | undefined {
  const { purpose, rule, place } = effect;
  return holds.find((hold) => {
    const { scope, until } = hold;
    const except = (hold as { readonly except?: readonly string[] }).except ?? [];
    return (
      !except.includes(purpose) &&
      (until === null || now < Date.parse(until)) &&
      (scope.rule === undefined || scope.rule === rule) &&
      (scope.vpc === undefined || scope.vpc === place.vpc) &&
      (scope.subnet === undefined || scope.subnet === place.subnet)
    );
  });
}
