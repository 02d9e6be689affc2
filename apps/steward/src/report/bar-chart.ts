import { safeText } from '@ovn-steward/shared/safe-text';
import { type Markup, markup } from './markup';
import type { Bar } from './section';

/** More do not fit a page; the rest is in the table. */
const MOST = 15;
const ROW = 24;
const LABELS = 300;
const BARS = 380;
const WIDTH = LABELS + BARS + 100;

/**
 * Horizontal bars as SVG, of the length of their values; the rest beyond the first fifteen is said
 * in words. Written by hand: what draws bars without a browser brings a DOM or megabytes along.
 * Colours are those of the page (`currentColor`, `--bar`), so that it can be read in the dark and
 * on paper.
 */
export function barChart(title: string, bars: readonly Bar[]): Markup {
  const shown = bars.slice(0, MOST);
  const longest = Math.max(...shown.map((it) => it.value), Number.MIN_VALUE);
  const rest = bars.length - shown.length;
  const height = (shown.length + (rest > 0 ? 1 : 0)) * ROW;
  return markup`<svg role="img" aria-label="${title}" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">
${shown.map((it, at) => row(it, at, longest))}
${rest > 0 ? markup`<text x="${LABELS}" y="${shown.length * ROW + 16}">and ${rest} more in the table</text>` : ''}
</svg>`;
}

function row({ label, value, shown = String(value) }: Bar, at: number, longest: number): Markup {
  const length = Math.max(1, Math.round((value / longest) * BARS));
  const y = at * ROW;
  return markup`<g>
<title>${safeText(label)}: ${shown}</title>
<text x="${LABELS - 8}" y="${y + 16}" text-anchor="end">${safeText(label, 40)}</text>
<rect x="${LABELS}" y="${y + 4}" width="${length}" height="16"/>
<text x="${LABELS + length + 6}" y="${y + 16}">${shown}</text>
</g>`;
}
