import { safeText } from '@ovn-steward/shared/safe-text';

const FIRST = new Set(['level', 'time', 'service', 'cluster', 'message']);

/** A line of the log for people: `12:00:00.000 WARN  collector: sentence  name=value …`. */
export function textLine(json: string): string {
  const line = JSON.parse(json) as Record<string, unknown>;
  const fields = Object.entries(line)
    .filter(([name]) => !FIRST.has(name))
    .map(
      ([name, it]) =>
        ` ${name}=${safeText(typeof it === 'string' ? it : JSON.stringify(it), 1000)}`,
    );
  return `${String(line['time']).slice(11, 23)} ${String(line['level']).toUpperCase().padEnd(5)} ${String(line['service'])}: ${safeText(String(line['message']), 2000)}${fields.join('')}\n`;
}
