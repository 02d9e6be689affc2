import {
  ClusterStatus,
  clusterStatus,
  FINDINGS_SCHEMAS,
  findingsRoutes,
  Readiness,
  readinessOf,
} from '@ovn-steward/analyzer';
import type { ClusterView, Expectation, Picture } from '@ovn-steward/analyzer';
import { UnsettledClaim } from '@ovn-steward/executor';
import { openApiDocument } from '@ovn-steward/service/http/openapi';
import { route } from '@ovn-steward/service/http/route';
import type { Route } from '@ovn-steward/service/http/route';
import {
  livezRoute,
  Liveness,
  metricsRoute,
  openApiRoute,
} from '@ovn-steward/service/http/shell-routes';
import { StandingHold } from '@ovn-steward/executor';
import { z } from 'zod';

/** What the routes answer from. */
export interface Answering {
  readonly version: string;
  readonly cluster: string;
  readonly picture: () => Picture;
  readonly expected: Expectation;
  /** The sources' clock. */
  readonly clock: () => Date;
  /** The metrics' text; given what is to be shown. */
  readonly metrics: (shown: ClusterView) => Promise<string>;
  /** The holds in force; null while no executor follows what people decide. */
  readonly holds: () => readonly StandingHold[] | null;
  /** What the executor has under way and cannot bring to its end; nothing where none runs. */
  readonly unsettled: () => readonly UnsettledClaim[];
  /** What the pipeline failed with, once it did. */
  readonly failure: () => string | undefined;
}

/** The answer of `/status`. */
export const Status = z
  .object({ version: z.string().describe('Of the program.') })
  .extend(ClusterStatus.shape)
  .extend({
    holds: z
      .array(StandingHold)
      .nullable()
      .describe('The holds in force; null while nothing is acted on.'),
    unsettled: z
      .array(UnsettledClaim)
      .describe(
        'What the executor has under way and could not bring to its end, the oldest first.',
      ),
  });
export type Status = z.infer<typeof Status>;

const SCHEMAS = { ...FINDINGS_SCHEMAS, Liveness, Readiness, Status };

/** Every route of `steward run --listen`; all are GET, and none changes anything. docs/http.md repeats them. */
export function routesOf(from: Answering): readonly Route[] {
  const readiness = (picture: Picture): Readiness =>
    readinessOf(
      { streams: picture.streams(), notInstalled: (kind) => picture.world.notInstalled(kind) },
      from.expected,
      from.clock().getTime(),
    );
  const view = (): ClusterView => {
    const picture = from.picture();
    return { cluster: from.cluster, picture, ready: readiness(picture).ready };
  };
  const routes: readonly Route[] = [
    livezRoute(from.failure),
    route({
      path: '/readyz',
      says: 'Whether everything that some rule needs is known in full and fresh; names what is missing.',
      responses: {
        200: { says: 'Ready.', schema: 'Readiness' },
        503: { says: 'Not ready; findings may be missing.', schema: 'Readiness' },
      },
      answer() {
        const body = readiness(from.picture());
        return { status: body.ready ? 200 : 503, body };
      },
    }),
    metricsRoute(() => from.metrics(view())),
    ...findingsRoutes(() => [view()]),
    route({
      path: '/status',
      says: 'The sources, what they hold and lack, how many findings there are, and which claims of the executor cannot be settled.',
      responses: { 200: { says: 'The status.', schema: 'Status' } },
      answer() {
        const holds = from.holds();
        const body: Status = {
          version: from.version,
          ...clusterStatus(view()),
          holds: holds && [...holds],
          unsettled: [...from.unsettled()],
        };
        return { status: 200, body };
      },
    }),
    openApiRoute(() => describe(from.version, routes)),
  ];
  return routes;
}

const describe = (version: string, routes: readonly Route[]): object =>
  openApiDocument({
    title: 'ovn-steward',
    version,
    description: 'What steward run knows, for reading. No route changes anything.',
    routes,
    schemas: SCHEMAS,
  });

const never = (): never => {
  throw new Error('only described, not asked');
};

/** The routes as data, for describing them. */
export const DESCRIBED = routesOf({
  version: '',
  cluster: '',
  picture: never,
  expected: { streams: [], staleAfterMs: 0 },
  clock: never,
  unsettled: never,
  metrics: never,
  holds: never,
  failure: never,
});

/** The OpenAPI document of `steward run --listen`. */
export const stewardOpenApi = (version: string): object => describe(version, DESCRIBED);
