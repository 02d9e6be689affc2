import { ascendingBy } from '@ovn-steward/shared/compare';
import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { SwaggerModule } from '@nestjs/swagger';
import { z } from 'zod';
import { schemasOf } from './api';
import { Problem } from './problem';

export interface ApiAbout {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/**
 * The OpenAPI 3.1 document of an application’s controllers, whose schemas are JSON Schema 2020-12.
 *
 * @throws Error for an answer that names a schema no controller declares.
 */
export function openApiDocument(
  app: INestApplication,
  { title, version, description }: ApiAbout,
): object {
  const about = {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
  };
  const { paths } = SwaggerModule.createDocument(app, about, {
    autoTagControllers: false,
    operationIdFactory,
  });
  const schemas = componentSchemas({ ...declaredSchemas(app), Problem });
  for (const [, name] of JSON.stringify(paths).matchAll(REFERENCE))
    if (!Object.hasOwn(schemas, name!))
      throw new Error(`An answer names the schema ${name}, which no controller declares`);
  return {
    ...about,
    security: [{}, { bearer: [] }],
    paths,
    components: { schemas, securitySchemes: { bearer: BEARER } },
  };
}

/**
 * Where a login is needed (`http.auth.by`), every route but `/livez` and `/readyz` answers 401
 * without a token, 403 without the right, and 503 while that cannot be found out.
 */
const BEARER = {
  type: 'http',
  scheme: 'bearer',
  description:
    'Needed where http.auth.by is set: a token of Kubernetes or of the OpenID Connect issuer. Without it 401; without the right 403; 503 while that cannot be found out.',
};

/** `FindingsController.list` is `listFindings`. */
const operationIdFactory = (controller: string, method: string): string =>
  `${method}${controller.replace(/Controller$/, '')}`;

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

const declaredSchemas = (app: INestApplication): Readonly<Record<string, z.ZodType>> =>
  Object.assign(
    {},
    ...[...app.get(ModulesContainer).values()].flatMap((module) =>
      [...module.controllers.values()].map(({ metatype }) => schemasOf(metatype as Type)),
    ),
  ) as Readonly<Record<string, z.ZodType>>;

function componentSchemas(all: Readonly<Record<string, z.ZodType>>): Record<string, object> {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(all).sort(ascendingBy(([key]) => key)))
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
