import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runCommand } from './provision/command';
import { grafanaAtHand, PAGE } from './provision/grafana';
import type { PrometheusAnswer } from './prometheus';
import { makeScratch, removeScratch } from './run/guard';

/** What of a dashboard the page reads. */
export interface DrawnDashboard {
  readonly title: string;
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly gridPos: { readonly y: number; readonly h: number };
    readonly targets?: readonly { readonly expr: string; readonly range: boolean }[];
  }[];
}

/** A panel as it stands in the picture. */
export interface DrawnPanel {
  readonly title: string;
  /** Why it could not be drawn. */
  readonly failed: string | null;
  readonly text: string;
  /** Graphs, and rows of a table with its head. */
  readonly graphs: number;
  readonly rows: number;
  /** The title has no room. */
  readonly titleCut: boolean;
  /** How many pixels of the legend have no room. */
  readonly legend: number;
}

/** The answers to each query of each panel, by the panel's id. */
export type Answers = Readonly<Record<number, readonly (readonly PrometheusAnswer[])[]>>;

const WIDTH = 1400;
const ROW = 38;
const HEAD = 56;
const MODULES = ['page.mjs', 'kinds.mjs', 'frames.mjs'];
const HTML = `<!doctype html><meta charset="utf-8"><style>
html { font-size: 14px } body { margin: 0; background: #f4f5f5 }
#dashboard h1 { font-size: 20px; margin: 12px 8px; height: 32px } main { position: relative }
#dashboard .heading { padding: 8px; font-weight: 500 } .failed { color: red; white-space: pre-wrap }
.nothing { display: flex; height: 100%; align-items: center; justify-content: center }
</style><div id="dashboard"></div>
<script>window.grafanaBootData = { user: {}, settings: { featureToggles: {}, dateFormats: {} } };</script>
<script src="components.js"></script><script type="module" src="page.mjs"></script>`;

/**
 * Draws a dashboard with Grafana's own components in Chromium.
 * @param picture the file of the picture, a PNG.
 */
export async function drawDashboard(
  dashboard: DrawnDashboard,
  { answers, from, to }: { answers: Answers; from: number; to: number },
  picture: string,
): Promise<readonly DrawnPanel[]> {
  const { chromium, components } = grafanaAtHand()!;
  const profile = makeScratch('chromium');
  const page = await serve({
    '/': ['text/html', HTML],
    '/components.js': ['text/javascript', readFileSync(components)],
    '/data.json': ['application/json', JSON.stringify({ dashboard, answers, from, to })],
    ...Object.fromEntries(
      MODULES.map((it) => [`/${it}`, ['text/javascript', readFileSync(join(PAGE, it))] as const]),
    ),
  });
  const height = HEAD + ROW * Math.max(...dashboard.panels.map(({ gridPos: { y, h } }) => y + h));
  try {
    const args = [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run'],
      ...[`--user-data-dir=${profile}`, `--window-size=${WIDTH},${height}`],
      ...['--virtual-time-budget=10000', `--screenshot=${picture}`, page.url],
    ];
    await runCommand(chromium.program, args, { env: chromium.env, timeout: 120_000 });
    return page.drawn();
  } finally {
    page.close();
    removeScratch(profile);
  }
}

type Files = Readonly<Record<string, readonly [type: string, content: string | Buffer]>>;

async function serve(
  files: Files,
): Promise<{ url: string; drawn(): readonly DrawnPanel[]; close(): void }> {
  let reported: readonly DrawnPanel[] | { readonly error: string } | undefined;
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        reported = JSON.parse(Buffer.concat(parts).toString()) as typeof reported;
        response.end();
      });
      return;
    }
    const [type, content] = files[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': type }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    drawn() {
      if (reported === undefined) throw new Error('the page ended before it was drawn');
      if ('error' in reported) throw new Error(`the page failed: ${reported.error}`);
      return reported;
    },
    close: () => void server.close(),
  };
}
