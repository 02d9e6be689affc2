import type { ListHead } from './list-head';

/**
 * One element of a dump, in the order of the file. `object` carries the type it has by itself or by
 * its list (`inList`). `broken` is an element that is no JSON or YAML; `text` is what stands there.
 * `list` comes after the objects of that list.
 */
export type DumpEntry =
  | {
      readonly entry: 'object';
      readonly where: string;
      readonly inList: boolean;
      readonly apiVersion: unknown;
      readonly kind: unknown;
      readonly raw: unknown;
    }
  | {
      readonly entry: 'broken';
      readonly where: string;
      readonly text: string;
      readonly why: string;
    }
  | { readonly entry: 'list'; readonly head: ListHead };
