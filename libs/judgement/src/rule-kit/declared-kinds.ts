import { kubernetesKind } from '@ovn-steward/shared/kinds';
import type { Kind } from '../world/entity';
import type { ReadableWorld } from '../world/readable';

/** What of a rule says which kinds it reads. */
interface Declaration {
  readonly subject: Kind;
  readonly reads: readonly Kind[];
  readonly consults?: readonly Kind[];
}

/** Once for each rule, however many clusters are judged by it. */
export interface DeclaredKinds {
  /** The subject's and those it `reads`: without one of them nothing is judged. */
  readonly needs: ReadonlySet<string>;
  /** Those, and the ones it `consults`. */
  readonly all: KindBits;
}

const DECLARED = new WeakMap<Declaration, DeclaredKinds>();

export function declaredKinds(rule: Declaration): DeclaredKinds {
  const known = DECLARED.get(rule);
  if (known !== undefined) return known;
  const needs = new Set<string>([rule.subject, ...rule.reads]);
  const declared = { needs, all: new KindBits([...needs, ...(rule.consults ?? [])]) };
  DECLARED.set(rule, declared);
  return declared;
}

/** Those of the kinds that are not known completely. */
export const kindsNotKnown = (
  needs: ReadonlySet<string>,
  world: Pick<ReadableWorld, 'knows'>,
): readonly string[] => [...needs].filter((it) => !world.knows(it));

const LAST_BIT = 30;

/** A bit for each kind of some, so that which of them were read is one number. */
export class KindBits {
  /** Kinds beyond the thirtieth share the last bit. */
  readonly #bits: ReadonlyMap<string, number>;
  /** The bits of those that are no Kubernetes kinds. */
  readonly tables: number;

  constructor(kinds: Iterable<string>) {
    this.#bits = new Map([...new Set(kinds)].map((it, nth) => [it, 1 << Math.min(nth, LAST_BIT)]));
    this.tables = [...this.#bits].reduce(
      (all, [kind, bit]) => (kubernetesKind(kind) === undefined ? all | bit : all),
      0,
    );
  }

  /** Undefined of a kind that is not among them. */
  of(kind: string): number | undefined {
    return this.#bits.get(kind);
  }

  /** The kinds of these bits. */
  in(bits: number): readonly string[] {
    return [...this.#bits].filter(([, bit]) => (bits & bit) !== 0).map(([kind]) => kind);
  }
}
