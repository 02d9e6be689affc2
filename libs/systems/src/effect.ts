import type { Operation } from '@ovn-steward/ovsdb';
import type { JsonPatch, ObjectVersion } from './kubernetes/kubernetes';

/**
 * One request that changes something, with its guards: refused unless what it is about is exactly
 * what was read, so that repeating it is harmless.
 */
export type Effect =
  | { readonly on: 'ovn-nb'; readonly operations: readonly Operation[] }
  | { readonly on: 'kubernetes'; readonly verb: 'delete' | 'evict'; readonly object: ObjectVersion }
  | {
      readonly on: 'kubernetes';
      readonly verb: 'patch';
      readonly object: ObjectVersion;
      readonly patch: JsonPatch;
    }
  | {
      readonly on: 'kubernetes';
      readonly verb: 'create';
      readonly kind: string;
      readonly manifest: Readonly<Record<string, unknown>>;
    };
