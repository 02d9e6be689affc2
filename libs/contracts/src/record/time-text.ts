/**
 * The time as RFC 3339; of one that no calendar has, which anybody may give a record, the number.
 * @param at milliseconds since 1970.
 */
export const timeText = (at: number): string => {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? String(at) : time.toISOString();
};
