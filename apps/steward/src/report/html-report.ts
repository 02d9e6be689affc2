import { safeText } from '@ovn-steward/shared/safe-text';
import { barChart } from './bar-chart';
import { Markup, markup } from './markup';
import type { Report } from './report';
import type { Section } from './section';
import { sectionsOf } from './sections';
import { conclusionOf, reportTitle } from './title';

/**
 * Nothing is loaded and nothing runs: no script, no image, no font, no form (Content Security
 * Policy Level 3).
 */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE = new Markup(`
:root { color-scheme: light dark; --bar: #2f6f9f; --line: #ccc; --quiet: #555; }
@media (prefers-color-scheme: dark) { :root { --bar: #6fb3e0; --line: #444; --quiet: #aaa; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin: 2rem 0 .25rem; }
p { margin: .25rem 0 .5rem; color: var(--quiet); }
table { border-collapse: collapse; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .2rem .75rem .2rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
svg { display: block; max-width: 100%; height: auto; margin: .5rem 0; font: 13px system-ui, sans-serif; }
svg text { fill: currentColor; }
svg rect { fill: var(--bar); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
@media print {
  :root { color-scheme: light; --bar: #2f6f9f; --line: #999; --quiet: #333; }
  body { max-width: none; margin: 0; font-size: 10pt; }
  h2 { break-after: avoid; } svg, tr { break-inside: avoid; } thead { display: table-header-group; }
}
`);

/**
 * A report as one page that needs nothing else, piece by piece: no script, no network, foreign text
 * escaped. Empty sections are left out.
 */
export function* htmlReport(report: Report): Generator<string> {
  const title = safeText(reportTitle(report));
  yield markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p>${safeText(conclusionOf(report))}</p>
`.text;
  for (const section of sectionsOf(report)) yield* sectionHtml(section);
  yield '</body>\n</html>\n';
}

function* sectionHtml({ title, about, columns, rows, bars = [] }: Section): Generator<string> {
  let begun = false;
  for (const row of rows) {
    if (!begun)
      yield markup`<section>
<h2>${title}</h2>
${about ? markup`<p>${safeText(about, 1000)}</p>` : ''}
${bars.length > 0 ? barChart(title, bars) : ''}
<table>
<thead><tr>${columns.map((it) => markup`<th scope="col">${it}</th>`)}</tr></thead>
<tbody>
`.text;
    begun = true;
    yield `${markup`<tr>${row.map((it) => markup`<td>${safeText(it)}</td>`)}</tr>`.text}\n`;
  }
  if (begun) yield '</tbody>\n</table>\n</section>\n';
}
