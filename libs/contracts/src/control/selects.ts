import { FindingClass, type Finding } from '../findings/finding';
import type { Reference } from '../identity/reference';
import { type Selector, SELECTOR_MEMBERS, type SelectorMember } from '../identity/selector';

/** What a selector is matched against. */
export type Selected = Pick<
  Finding,
  'id' | 'rule' | 'class' | 'subject' | 'concerns' | 'scope' | 'proof' | 'remedy'
>;

/** Whether a member of a selector is so of a finding: `unknown` where the finding does not say. */
type Answer = 'yes' | 'no' | 'unknown';

const known = (found: string | undefined, wanted: string): Answer =>
  found === undefined ? 'unknown' : found === wanted ? 'yes' : 'no';

const ANSWERS: Readonly<Record<SelectorMember, (finding: Selected, wanted: string) => Answer>> = {
  finding: ({ id }, wanted) => known(id, wanted),
  rule: ({ rule }, wanted) => known(rule, wanted),
  class: (finding, wanted) =>
    FindingClass.safeParse(wanted).success ? known(finding.class, wanted) : 'unknown',
  vpc: ({ scope }, wanted) => known(scope?.vpc, wanted),
  subnet: ({ scope }, wanted) => known(scope?.subnet, wanted),
  namespace: (finding, wanted) => {
    const namespaces = namespacesOf(finding);
    if (namespaces.size === 0) return 'unknown';
    if (!namespaces.has(wanted)) return 'no';
    return namespaces.size === 1 ? 'yes' : 'unknown';
  },
  subject: ({ subject, concerns, remedy }, wanted) => {
    if (isCalled(subject, wanted)) return 'yes';
    const others = [...concerns, ...(remedy === null ? [] : [remedy.target])];
    return others.some((it) => isCalled(it, wanted)) ? 'unknown' : 'no';
  },
};

/** The namespaces a finding names: of its subject, and of the owners whose absence proves it. */
export function namespacesOf({
  subject,
  proof,
}: Pick<Selected, 'subject' | 'proof'>): ReadonlySet<string> {
  const owners = proof.flatMap((fact) => {
    if (fact.fact !== 'absent' || fact.source !== 'kubernetes') return [];
    const [namespace, name] = fact.key.split('/');
    return name === undefined ? [] : [namespace!];
  });
  return new Set([...(subject.namespace ? [subject.namespace] : []), ...owners]);
}

const isCalled = ({ uid, kind, namespace, name }: Reference, wanted: string): boolean =>
  wanted === uid || wanted === [kind, ...(namespace ? [namespace] : []), name].join('/');

/**
 * Of each member that is named what the finding says to it; of one this version does not know,
 * nothing is known.
 */
const answersTo = (selector: Selector, finding: Selected): readonly Answer[] =>
  Object.entries(selector)
    .filter(([, value]) => value !== undefined)
    .map(([member, wanted]) =>
      isMember(member) && typeof wanted === 'string' ? ANSWERS[member](finding, wanted) : 'unknown',
    );

const isMember = (member: string): member is SelectorMember =>
  (SELECTOR_MEMBERS as readonly string[]).includes(member);

/**
 * Whether the finding is meant for certain: what it says fits all that is named. Only then is it
 * hidden from anybody.
 */
export const surelySelects = (selector: Selector, finding: Selected): boolean => {
  const answers = answersTo(selector, finding);
  return answers.length > 0 && answers.every((it) => it === 'yes');
};

/**
 * Whether the finding may be meant: nothing it says is against it. Then it is not acted on, for
 * unknown means keep.
 */
export const maySelect = (selector: Selector, finding: Selected): boolean =>
  !answersTo(selector, finding).includes('no');
