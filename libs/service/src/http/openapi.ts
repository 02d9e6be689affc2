import { z } from 'zod';
import { Problem } from './problem';
import type { Route, RouteResponse } from './route';

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly routes: readonly Route[];
  /** By the names routes use; those they refer to belong among them. `Problem` always does. */
  readonly schemas: Readonly<Record<string, z.ZodType>>;
}

/** The OpenAPI 3.1 document of routes, whose schemas are JSON Schema 2020-12. @throws Error for a route that names a schema nobody gave. */
export function openApiDocument({
  title,
  version,
  description,
  routes,
  schemas,
}: OpenApiOptions): object {
  const known = { ...schemas, Problem };
  for (const { path, responses } of routes) {
    for (const { schema } of Object.values(responses))
      if (schema !== undefined && !Object.hasOwn(known, schema))
        throw new Error(`${path} answers with ${schema}, which has no schema`);
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths: Object.fromEntries(routes.map((route) => [route.path, { get: operation(route) }])),
    components: { schemas: componentSchemas(known) },
  };
}

const operation = ({ says, query, pathParameters, responses }: Route): object => ({
  summary: says,
  parameters: [
    ...Object.entries(pathParameters ?? {}).map(([name, description]) => ({
      name,
      in: 'path',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    ...Object.entries(query?.shape ?? {}).map(([name, it]) => parameter(name, it)),
  ],
  responses: Object.fromEntries(
    Object.entries(responses).map(([status, it]) => [status, response(it)]),
  ),
});

function parameter(name: string, type: z.core.$ZodType): object {
  const { $schema: _, description, ...schema } = z.toJSONSchema(type);
  return {
    name,
    in: 'query',
    required: !z.safeParse(type, undefined).success,
    description,
    schema,
  };
}

const response = ({ says, schema, media }: RouteResponse): object => ({
  description: says,
  content:
    schema === undefined
      ? { [media ?? 'application/json']: {} }
      : { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});

function componentSchemas(all: Readonly<Record<string, z.ZodType>>): Record<string, object> {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
    named.add(schema, { id });
  // The input side leaves objects open: later versions may add properties.
  const { schemas } = z.toJSONSchema(named, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]),
  );
}
