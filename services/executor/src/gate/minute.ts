/** A time in ms since 1970 as a sentence names it: `2026-01-02T03:04Z`. */
export const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
