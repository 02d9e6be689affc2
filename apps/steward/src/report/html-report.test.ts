import { htmlReport } from './html-report';
import { smallAudit, smallReport } from './testing/small-report';

const page = (...given: Parameters<typeof smallReport>): string =>
  [...htmlReport(smallReport(...given))].join('');
const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&`;

test('loads nothing and runs nothing', () => {
  const text = page();
  expect(text).toContain(`content="default-src &#39;none&#39;`);
  expect(text).not.toMatch(/<script|<link|<img|<iframe|<form|\son\w+=|\b(?:src|href)=|url\(/i);
});

test('writes foreign text as text, wherever it stands', () => {
  const [first] = smallAudit().findings;
  const foreign = { ...first!, summary: HOSTILE, rule: HOSTILE, scope: { vpc: HOSTILE } };
  const text = page({
    cluster: HOSTILE,
    findings: [{ ...foreign, cause: { kind: 'Pod', key: 'a/b', text: HOSTILE } }],
    summary: { ...smallAudit().summary, byRule: { [HOSTILE]: 1 } },
  });
  expect(text.split('&quot;&gt;&lt;script&gt;').length).toBeGreaterThan(8);
  expect(text).not.toMatch(/<script|<img|onerror='/);
});

test('draws a bar for each count, as long as it says', () => {
  const byClass = { leak: 4, garbage: 1 };
  const text = page({ summary: { ...smallAudit().summary, byClass } });
  const chart = /<svg[^>]*aria-label="By class".*?<\/svg>/s.exec(text)?.[0] ?? '';
  const widths = [...chart.matchAll(/<rect[^>]* width="(\d+)"/g)].map((it) => Number(it[1]));
  expect(widths).toEqual([380, 95]);
});

test('has as many rows in its tables as there is to say', () => {
  const body = /<h2>Findings<.*?<tbody>\n(.*?)<\/tbody>/s.exec(page())?.[1] ?? '';
  expect(body.match(/<tr>/g)).toHaveLength(smallAudit().findings.length);
});

test('forecasts the soonest first', () => {
  const chart = /<svg[^>]*aria-label="Forecast".*?<\/svg>/s.exec(page())?.[0] ?? '';
  expect([...chart.matchAll(/<title>(.*?)<\/title>/g)].map((it) => it[1])).toEqual([
    'full: now',
    'ovn-default: 2d',
  ]);
});

test('says how many bars it leaves out', () => {
  const byRule = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`rule-${at}`, 1]));
  expect(page({ summary: { ...smallAudit().summary, byRule } })).toContain(
    'and 5 more in the table',
  );
});
