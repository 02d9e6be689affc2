/**
 * What a row tagged by Kube-OVN says about itself.
 *
 * 3: tag, keys, name and type agree, nothing but its surroundings is left to check. 2: nothing
 * disagrees, but the name is the user's own choice, or nothing of this kind is ever removed by
 * itself. 0: they contradict each other, as on a row that was tagged or copied by somebody else.
 */
export interface RowClaim {
  readonly strength: 0 | 2 | 3;
  readonly reason: string;
}

export const agrees = (reason: string): RowClaim => ({ strength: 3, reason });
export const plausible = (reason: string): RowClaim => ({ strength: 2, reason });
export const contradicts = (reason: string): RowClaim => ({ strength: 0, reason });
