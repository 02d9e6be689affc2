import { problem } from './problem';
import type { Answer, Route } from './route';

/** Asks a route: the query is read by the route's schema first, and refused with what is wrong with it. */
export async function ask(
  route: Route,
  query: unknown,
  path: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const read = route.query?.safeParse(query);
  if (read && !read.success)
    return problem(
      400,
      read.error.issues.map((it) => [...it.path, it.message].join(': ')).join('; '),
    );
  return route.answer({ query: read?.data, path });
}
