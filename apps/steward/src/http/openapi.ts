import { AuditSource } from '@ovn-steward/shared/events/audit';
import { Finding, Unknown } from '@ovn-steward/shared/events/finding';
import { Reference } from '@ovn-steward/shared/events/reference';
import { z } from 'zod';
import { FindingsPage, FindingsQuery, Liveness, Problem, Readiness, Status } from './schemas';

interface Response {
  readonly says: string;
  /** The name of a schema below, or a media type whose answer is text. */
  readonly schema?: keyof typeof SCHEMAS;
  readonly media?: string;
}

interface Route {
  readonly path: string;
  readonly says: string;
  readonly query?: z.ZodObject;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<number, Response>>;
}

const SCHEMAS = { AuditSource, Finding, FindingsPage, Liveness, Problem, Readiness, Reference, Status, Unknown };

const BAD_QUERY: Response = { says: 'The query is not one of the above.', schema: 'Problem' };

/** Every route; all are GET, and none changes anything. docs/http.md repeats them. */
export const ROUTES: readonly Route[] = [
  {
    path: '/livez', says: 'Whether the process is alive: its event loop answers, and its pipeline has not failed.',
    responses: { 200: { says: 'Alive.', schema: 'Liveness' }, 503: { says: 'The pipeline failed; the process is about to end.', schema: 'Liveness' } },
  },
  {
    path: '/readyz', says: 'Whether everything that some rule needs is known in full and fresh; names what is missing.',
    responses: { 200: { says: 'Ready.', schema: 'Readiness' }, 503: { says: 'Not ready; findings may be missing.', schema: 'Readiness' } },
  },
  { path: '/metrics', says: 'Metrics in the Prometheus text format.', responses: { 200: { says: 'The metrics.', media: 'text/plain' } } },
  {
    path: '/findings', says: 'A page of the findings that match, in the order of their ids.', query: FindingsQuery,
    responses: { 200: { says: 'A page.', schema: 'FindingsPage' }, 400: BAD_QUERY },
  },
  {
    path: '/findings/{id}', says: 'One finding in its newest revision, resolved or not.', pathParameters: { id: 'The whole id.' },
    responses: { 200: { says: 'The finding.', schema: 'Finding' }, 404: { says: 'No finding has this id.', schema: 'Problem' } },
  },
  { path: '/status', says: 'The sources, what they hold and lack, and how many findings there are.', responses: { 200: { says: 'The status.', schema: 'Status' } } },
  { path: '/openapi.json', says: 'This description, as OpenAPI 3.1.', responses: { 200: { says: 'An OpenAPI document.', media: 'application/json' } } },
];

/** The OpenAPI 3.1 document of the routes, whose schemas are JSON Schema 2020-12. */
export function openApiDocument(version: string): object {
  return {
    openapi: '3.1.0',
    info: { title: 'ovn-steward', version, description: 'What steward run knows, for reading. No route changes anything.', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths: Object.fromEntries(ROUTES.map((route) => [route.path, { get: operation(route) }])),
    components: { schemas: componentSchemas() },
  };
}

const operation = ({ says, query, pathParameters, responses }: Route): object => ({
  summary: says,
  parameters: [
    ...Object.entries(pathParameters ?? {}).map(([name, description]) => ({ name, in: 'path', required: true, description, schema: { type: 'string' } })),
    ...Object.entries(query?.shape ?? {}).map(([name, it]) => parameter(name, it)),
  ],
  responses: Object.fromEntries(Object.entries(responses).map(([status, it]) => [status, response(it)])),
});

function parameter(name: string, type: z.core.$ZodType): object {
  const { $schema: _, description, ...schema } = z.toJSONSchema(type);
  return { name, in: 'query', required: false, description, schema };
}

const response = ({ says, schema, media }: Response): object => ({
  description: says,
  content: schema === undefined ? { [media ?? 'application/json']: {} } : { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});

function componentSchemas(): Record<string, object> {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) named.add(schema, { id });
  // The input side leaves objects open: later versions may add properties.
  const { schemas } = z.toJSONSchema(named, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]));
}
