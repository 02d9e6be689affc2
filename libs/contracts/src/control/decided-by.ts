import { z } from 'zod';
import { Authenticated, type Control } from './control';

/** Who decided, and how that is known. */
export const Decider = z.object({
  by: z
    .string()
    .describe(
      'Who decided: over HTTP the user whose identity was proven, else as they name themselves.',
    ),
  authenticated: Authenticated.optional().describe(
    'Of what was decided over HTTP: how the user was authenticated, and from where.',
  ),
  signedBy: z
    .string()
    .optional()
    .describe('Of what was decided over HTTP and signed: whose key vouches for the user.'),
});
export type Decider = z.infer<typeof Decider>;

/** Who made a decision. Never to be counted by: one key may vouch for many names. */
export const deciderOf = ({ by, authenticated }: Pick<Control, 'by' | 'authenticated'>): Decider =>
  authenticated === undefined
    ? { by }
    : {
        by: authenticated.user,
        authenticated,
        ...(authenticated.user !== by && { signedBy: by }),
      };

/** The same in a few words, where there is room for no more: `paul (through http)`. */
export const decidedBy = (control: Pick<Control, 'by' | 'authenticated'>): string => {
  const { by, signedBy } = deciderOf(control);
  return signedBy === undefined ? by : `${by} (through ${signedBy})`;
};
