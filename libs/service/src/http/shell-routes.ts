import { safeText } from '@ovn-steward/shared/safe-text';
import { z } from 'zod';
import type { Route } from './route';
import { route } from './route';

export const Liveness = z.object({
  status: z.enum(['alive', 'failed']),
  detail: z.string().optional().describe('What the pipeline failed with.'),
});
export type Liveness = z.infer<typeof Liveness>;

/** What whoever starts and stops processes asks, on a port where nobody else does. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/** Those of them that are answered on the port for probes. */
export const probeRoutes = (routes: readonly Route[]): readonly Route[] =>
  routes.filter(({ path }) => PROBES.has(path));

/** `/livez`. `failure`: why this process cannot go on, once that is so. It must not depend on anything outside the process. */
export const livezRoute = (failure: () => string | undefined, what = 'pipeline'): Route =>
  route({
    path: '/livez',
    says: `Whether the process is alive: its event loop answers, and its ${what} has not failed.`,
    responses: {
      200: { says: 'Alive.', schema: 'Liveness' },
      503: { says: `The ${what} failed; the process is about to end.`, schema: 'Liveness' },
    },
    answer() {
      const detail = failure();
      const body: Liveness =
        detail === undefined
          ? { status: 'alive' }
          : { status: 'failed', detail: safeText(detail, 500) };
      return { status: detail === undefined ? 200 : 503, body };
    },
  });

export const metricsRoute = (text: () => Promise<string>): Route =>
  route({
    path: '/metrics',
    says: 'Metrics in the Prometheus text format.',
    responses: {
      200: {
        says: 'The metrics.',
        media: 'text/plain',
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
      },
    },
    answer: async () => ({ status: 200, body: await text() }),
  });

export const openApiRoute = (document: () => object): Route =>
  route({
    path: '/openapi.json',
    says: 'This description, as OpenAPI 3.1.',
    responses: { 200: { says: 'An OpenAPI document.', media: 'application/json' } },
    answer: () => ({ status: 200, body: document() }),
  });
