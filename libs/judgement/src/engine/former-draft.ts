import type { Entity } from '../world/entity';
import type { FormerPart, FormerReferrer } from '../world/former-row';
import { MEMORY } from '../world/former-row';
import { type Parent, parentsOf } from '../world/ovn-rows';
import type { Former } from './harm';

/** One former row while it is changed. */
export type FormerDraft = { -readonly [K in keyof Former]: Former[K] } & {
  parts: FormerPart[];
  referrers: FormerReferrer[];
};

export const nameIn = ({ name }: Readonly<Record<string, unknown>>): string =>
  typeof name === 'string' ? name : '';
export const fieldsOf = ({ object }: Entity): Readonly<Record<string, unknown>> => object;
export const tierOf = (acl: Entity): unknown => fieldsOf(acl)['tier'] ?? 0;
export const parentOf = (row: Entity): Parent | undefined =>
  parentsOf({ object: fieldsOf(row) })[0];

export const isSomething = ({ row, parts }: Former): boolean =>
  row !== undefined || parts.length > 0;

/**
 * Whether rows of it stand and lost members, and nothing else happened: what owners do all the
 * time.
 */
export const hasOnlyLostMembers = ({ row, parts }: Former): boolean =>
  row === undefined && parts.every(({ gone, table }) => !gone && table !== 'ACL');

/**
 * The content counts up instead of being hashed: a row with many parts is not read through for
 * each.
 */
export function formerEntity(draft: FormerDraft, before: Entity | undefined): Entity {
  const { uid, name, ...former } = draft;
  return {
    source: 'ovn-nb',
    stream: MEMORY,
    kind: 'Former_Row',
    uid,
    name,
    object: { ...former, parts: [...draft.parts], referrers: [...draft.referrers] },
    hash: String(Number(before?.hash ?? 0) + 1),
  } as unknown as Entity;
}
