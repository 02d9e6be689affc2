import { type Selector, SELECTOR_MEMBERS } from '@ovn-steward/contracts/identity/selector';

/** `rule leaked-ip, subnet apps`; of one that names nothing this version knows: what it is. */
export const selectorText = (selector: Selector): string =>
  SELECTOR_MEMBERS.flatMap((it) =>
    selector[it] === undefined ? [] : [`${it} ${selector[it]}`],
  ).join(', ') || 'what cannot be read, which may be anything';
