import { z } from 'zod';
import { openApiDocument } from './http/openapi';
import { route } from './http/route';
import type { Route } from './http/route';
import { livezRoute, Liveness, metricsRoute, openApiRoute } from './http/shell-routes';
import type { Lack, Service } from './service';
import type { ServiceIdentity } from './settings/identity';

const Lacking = z.object({
  what: z.string().describe('What is missing, in a word: `log`, `work`, a source …'),
  detail: z.string().describe('One sentence for a person.'),
});

export const ServiceReadiness = z.object({ ready: z.boolean(), missing: z.array(Lacking) });
export type ServiceReadiness = z.infer<typeof ServiceReadiness>;

/** What `/status` shows of every service. */
const ServiceStatus = z.object({
  service: z.string(),
  version: z.string().describe('Of the program.'),
  startedAt: z.string().describe('RFC 3339, UTC.'),
  ready: z.boolean(),
  missing: z.array(Lacking).describe('As in /readyz.'),
});

export interface RoutesOptions {
  readonly identity: ServiceIdentity;
  readonly service: Service;
  readonly startedAt: Date;
  readonly missing: () => readonly Lack[];
  readonly failure: () => string | undefined;
  readonly metrics: () => Promise<string>;
}

/** All routes of a service, those every service has and its own, and their OpenAPI document. */
export function serviceRoutes({
  identity,
  service,
  startedAt,
  missing,
  failure,
  metrics,
}: RoutesOptions): { readonly routes: readonly Route[]; readonly document: object } {
  const Status = ServiceStatus.extend(service.statusSchema.shape);
  const schemas = { ...service.schemas, Liveness, ServiceReadiness, Status };
  const readiness = (): ServiceReadiness => {
    const lacks = [...missing()];
    return { ready: lacks.length === 0, missing: lacks };
  };
  const routes: readonly Route[] = [
    livezRoute(failure, 'work'),
    route({
      path: '/readyz',
      says: 'Whether the service is of use now; names what is missing.',
      responses: {
        200: { says: 'Ready.', schema: 'ServiceReadiness' },
        503: { says: 'Not ready.', schema: 'ServiceReadiness' },
      },
      answer() {
        const body = readiness();
        return { status: body.ready ? 200 : 503, body };
      },
    }),
    metricsRoute(metrics),
    ...(service.routes ?? []),
    route({
      path: '/status',
      says: 'What the service is doing, and what it lacks.',
      responses: { 200: { says: 'The status.', schema: 'Status' } },
      answer: () => ({
        status: 200,
        body: {
          service: identity.name,
          version: identity.version,
          startedAt: startedAt.toISOString(),
          ...readiness(),
          ...service.status(),
        },
      }),
    }),
    openApiRoute(() => document),
  ];
  const document = openApiDocument({
    title: identity.command,
    version: identity.version,
    description: `${identity.command} ${identity.says} No route changes anything.`,
    routes,
    schemas,
  });
  return { routes, document };
}
