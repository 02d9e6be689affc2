import type { Control } from './control';

/**
 * Who decided, for people: of what was decided over HTTP the user, and through whom where somebody else signed it. Never to be counted by: one key may
 * vouch for many names.
 */
export const decidedBy = ({ by, authenticated }: Pick<Control, 'by' | 'authenticated'>): string =>
  authenticated === undefined || authenticated.user === by
    ? by
    : `${authenticated.user} (through ${by})`;
