/**
 * Whether a finding stands: it is neither over nor suppressed. A state of a later version stands,
 * too.
 */
export const isOpen = ({ state }: { readonly state: string }): boolean =>
  state !== 'resolved' && state !== 'suppressed';
