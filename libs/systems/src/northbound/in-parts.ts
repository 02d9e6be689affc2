import type { Operation } from '@ovn-steward/ovsdb';

/** Operations of one transaction; more are sent in several, so that none keeps the server long. */
const MOST_OPERATIONS = 1000;

/** Requests in their order, as many in each part as one transaction takes, and at least one. */
export function inParts<T extends { readonly operations: readonly Operation[] }>(
  requests: readonly T[],
): readonly (readonly T[])[] {
  const parts: T[][] = [];
  let left = 0;
  for (const request of requests) {
    left -= request.operations.length;
    const last = parts.at(-1);
    if (last !== undefined && left >= 0) last.push(request);
    else {
      parts.push([request]);
      left = MOST_OPERATIONS - request.operations.length;
    }
  }
  return parts;
}
