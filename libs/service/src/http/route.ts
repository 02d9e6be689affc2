import type { z } from 'zod';

/** What a status of a route means. */
export interface RouteResponse {
  readonly says: string;
  /** The name of one of the schemas the document is made with, when the answer is JSON of a known shape. */
  readonly schema?: string;
  /** The media type of an answer that is not. */
  readonly media?: string;
  /** The header, where it says more than the media type. */
  readonly contentType?: string;
}

/** A request as a route gets it: the query by the route's own schema, `undefined` when it has none. */
export interface RouteRequest<Q> {
  readonly query: Q;
  readonly path: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  /** Text is sent as it is, an object as JSON. */
  readonly body: object | string;
}

/**
 * A GET route as plain data: served by Nest, described in OpenAPI, and listed in the pages, all from here. No route changes anything.
 * Make one with `route`.
 */
export interface Route {
  /** `/findings/{id}` */
  readonly path: string;
  readonly says: string;
  readonly query?: z.ZodObject;
  /** What each parameter in the path means. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** By status. A query that does not fit is answered 400 before the route hears of it. */
  readonly responses: Readonly<Record<number, RouteResponse>>;
  answer(request: RouteRequest<unknown>): Answer | Promise<Answer>;
}

export const BAD_QUERY: RouteResponse = {
  says: 'The query is not one of the above.',
  schema: 'Problem',
};

/** A route whose answer sees its query as the schema gives it. */
export const route = <Q extends z.ZodObject>(
  it: Omit<Route, 'query' | 'answer'> & {
    readonly query?: Q;
    answer(request: RouteRequest<z.output<Q>>): Answer | Promise<Answer>;
  },
): Route => it as Route;
