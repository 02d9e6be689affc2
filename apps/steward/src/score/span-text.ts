const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** A number of seconds in its largest two units: `1h 5m`. */
export function spanText(seconds: number): string {
  let left = Math.round(seconds);
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [`${count}${unit}`] : [];
  });
  return parts.slice(0, 2).join(' ') || '0s';
}
