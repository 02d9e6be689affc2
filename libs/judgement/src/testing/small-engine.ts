import { Engine } from '../engine/engine';
import type { EngineOptions } from '../engine/engine-options';
import { RELATIONS } from '../relations/registry';
import { type Rule, unknown, type Verdict, violation } from '../rule-kit/rule';
import { TALLIES } from '../tallies/registry';
import type { Entity } from '../world/entity';
import { World } from '../world/world';
import { type Built, object } from './builders';
import { unchanged } from '../rule-kit/facts';

const MINUTE = 60_000;
/** A quarter of an hour for every class. */
const GRACE = {
  garbage: 15 * MINUTE,
  leak: 15 * MINUTE,
  drift: 15 * MINUTE,
  stuck: 15 * MINUTE,
  misplaced: 15 * MINUTE,
  missing: 15 * MINUTE,
  damage: 15 * MINUTE,
};

/** A Vip of which the rule finds these parts wrong; nothing can be said of one without parts. */
export const vip = (name: string, wrong?: readonly string[]): Built<'Vip'> =>
  object('Vip', name, { spec: wrong === undefined ? {} : { wrong } });

const wrongIn = ({ object: { spec } }: Entity<'Vip'>): readonly string[] | undefined =>
  (spec as unknown as { readonly wrong?: readonly string[] }).wrong;

/** What the rule says of a Vip. */
export const judgedVip = (subject: Entity<'Vip'>): Verdict => {
  const wrong = wrongIn(subject);
  return wrong === undefined
    ? unknown('who knows')
    : violation(
        ...wrong.map((key) => ({
          summary: `${key} is wrong`,
          proof: [unchanged(subject)],
          part: { column: 'wrong', key },
        })),
      );
};

/** An engine with one rule, about Vips. */
export const smallEngine = (
  rule: Partial<Rule<'Vip'>> = {},
  options: Partial<EngineOptions> = {},
): Engine =>
  new Engine({
    cluster: 'test',
    grace: GRACE,
    rules: [
      {
        id: 'wrong-vip',
        class: 'stuck',
        severity: 'warning',
        subject: 'Vip',
        reads: [],
        about: '',
        check: judgedVip,
        ...rule,
      } as unknown as Rule,
    ],
    world: new World(RELATIONS, TALLIES),
    ...options,
  });
