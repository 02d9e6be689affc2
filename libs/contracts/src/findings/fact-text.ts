import type { Fact } from './finding';
import { describe } from '../identity/reference';

/** A fact for a person, in words; not yet fit for a terminal. */
export function factText(fact: Fact): string {
  switch (fact.fact) {
    case 'absent':
      return `there is no ${fact.kind} ${fact.key} (${fact.source} was listed completely)`;
    case 'present':
      return `${describe(fact.subject)} exists (${fact.subject.uid})`;
    case 'unchanged':
      return `${describe(fact.subject)} is still ${fact.subject.uid}`;
    case 'value':
      return `${describe(fact.subject)} has ${fact.path} = ${fact.value}`;
    case 'unreferenced':
      return `nothing refers to ${describe(fact.subject)}`;
    case 'unclaimed':
      return `no ${fact.kind} has ${fact.value} as its ${fact.path}`;
    default:
      return `a fact that only a later version knows: ${JSON.stringify(fact)}`;
  }
}
