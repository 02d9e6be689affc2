import type { Rule } from '@ovn-steward/judgement/rule-kit/rule';
import type { View } from '@ovn-steward/judgement/rule-kit/view';
import type { Relation } from '@ovn-steward/judgement/world/relation';

/** What a view answers otherwise than it is; it gets the true view. */
export type Lies = (view: View) => Partial<View>;

/** Every rule, over a view with these lies. @param of the rules that see it; all unless given. */
export const lyingTo = (
  rules: readonly Rule[],
  lies: Lies,
  of: (rule: Rule) => boolean = () => true,
): readonly Rule[] =>
  rules.map((rule) =>
    of(rule) ? { ...rule, check: (subject, view) => rule.check(subject, lying(view, lies)) } : rule,
  );

function lying(view: View, lies: Lies): View {
  const untrue = lies(view) as Record<PropertyKey, unknown>;
  return new Proxy(view, {
    get(target, name) {
      if (Object.hasOwn(untrue, name)) return untrue[name];
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** Objects of that kind are overlooked. */
export const without =
  (kind: string): Lies =>
  (view) => ({
    presence: (of, key) => (of === kind ? 'absent' : view.presence(of, key)),
    get: ((of: never, key: string) => (of === kind ? undefined : view.get(of, key))) as View['get'],
  });

/** Nothing is found by that relation. */
export const withoutAny =
  (overlooked: Relation): Lies =>
  (view) => ({
    has: ((relation: never, key: string) =>
      (relation as unknown) !== overlooked && view.has(relation, key)) as View['has'],
  });
