import type { PipeTransform } from '@nestjs/common';
import type { z } from 'zod';
import { problem } from './problem';

/**
 * Reads a query by its schema. A query that does not fit is refused with status 400 before the
 * handler runs.
 */
export class QueryPipe<S extends z.ZodObject> implements PipeTransform<unknown, z.output<S>> {
  constructor(private readonly schema: S) {}

  transform(query: unknown): z.output<S> {
    const repeated = Object.entries((query ?? {}) as object).find(([, it]) => Array.isArray(it));
    if (repeated !== undefined)
      throw problem(400, `${repeated[0]}: is given more than once: give it once`);
    const read = this.schema.safeParse(query);
    if (read.success) return read.data;
    throw problem(
      400,
      read.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '),
    );
  }
}
