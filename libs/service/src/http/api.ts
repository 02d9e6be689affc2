import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { z } from 'zod';
import { FiltersByCluster } from './route-access';

type Schemas = Readonly<Record<string, z.ZodType>>;
const API_SCHEMAS = 'steward:api-schemas';

/**
 * The zod schemas a controller’s answers are made of, under the names the OpenAPI document gives
 * them.
 */
export const ApiSchemas = (schemas: Schemas): ClassDecorator => SetMetadata(API_SCHEMAS, schemas);

/** What `ApiSchemas` declared on a controller. */
export const schemasOf = (controller: Type | object): Schemas =>
  (Reflect.getMetadata(API_SCHEMAS, controller) as Schemas | undefined) ?? {};

/** What a route answers, in one sentence. */
export const ApiSummary = (summary: string): MethodDecorator => ApiOperation({ summary });

/** A status a route answers with; `schema` is a name given to `ApiSchemas`, or `Problem`. */
export const ApiAnswer = (status: number, description: string, schema: string): MethodDecorator =>
  ApiResponse({
    status,
    description,
    content: { 'application/json': { schema: { $ref: getSchemaPath(schema) } } },
  });

/** An answer that has no schema of its own. */
export const ApiAnswerOf = (
  status: number,
  description: string,
  mediaType: string,
): MethodDecorator => ApiResponse({ status, description, content: { [mediaType]: {} } });

/**
 * The parameters of a query, by its schema, and the refusal of a query that does not fit. One with
 * `cluster` answers of that cluster alone.
 */
export const ApiQueryOf = (query: z.ZodObject): MethodDecorator =>
  applyDecorators(
    ...('cluster' in query.shape ? [FiltersByCluster()] : []),
    ...Object.entries(query.shape).map(([name, type]) => {
      const { $schema: _, description, ...schema } = z.toJSONSchema(type);
      return ApiQuery({
        name,
        required: !z.safeParse(type, undefined).success,
        ...(description === undefined ? {} : { description }),
        schema: schema as object,
      });
    }),
    ApiAnswer(400, 'The query is not one of the above.', 'Problem'),
  );

/** The body of a route, by the name of its schema. */
export const ApiBodyOf = (schema: string): MethodDecorator =>
  ApiBody({
    required: true,
    content: { 'application/json': { schema: { $ref: getSchemaPath(schema) } } },
  } as Parameters<typeof ApiBody>[0]);

/** What a parameter in the path means. */
export const ApiPathParameter = (name: string, description: string): MethodDecorator =>
  ApiParam({ name, description, schema: { type: 'string' } });
