import {
  LIST_EVIDENCE_KINDS,
  type ListEvidenceKind,
  listEvidenceOf,
} from '../pairing/list-evidence';
import type { ListEvidence } from '../pairing/listed-kinds';
import { defineTally } from '../world/relation';

/** How often each thing is said of one name. */
type CountByType = Readonly<Record<ListEvidence['type'], number>>;

export interface ListFigure {
  readonly byKey: Map<string, CountByType>;
  /** Of the names that other things name: how many are there, and how many are not. */
  found: number;
  missed: number;
  /** How many names are there, whether or not other things name them. */
  there: number;
  /** How many names something that is alive lives with. */
  needed: number;
}

const NOTHING: CountByType = { there: 0, named: 0, needed: 0 };

/**
 * By kind: what a recording holds of it, and what else in the recording was made for objects of
 * that kind. About 200 bytes a name.
 */
export const listEvidence = defineTally<ListEvidenceKind, ListFigure>({
  id: 'list-evidence',
  kinds: LIST_EVIDENCE_KINDS,
  ofRecordings: true,
  keys: (entity) => listEvidenceOf(entity).map(({ kind }) => kind),
  start: () => ({ byKey: new Map(), found: 0, missed: 0, there: 0, needed: 0 }),
  add: (figure, entity, kind) => move(figure, listEvidenceOf(entity), kind, 1),
  remove: (figure, entity, kind) => move(figure, listEvidenceOf(entity), kind, -1),
});

function move(
  figure: ListFigure,
  evidence: readonly ListEvidence[],
  kind: string,
  by: 1 | -1,
): void {
  for (const listEvidence of evidence) {
    if (listEvidence.kind !== kind) continue;
    const before = figure.byKey.get(listEvidence.key) ?? NOTHING;
    const after = { ...before, [listEvidence.type]: before[listEvidence.type] + by };
    count(figure, before, -1);
    count(figure, after, 1);
    if (after.there + after.named + after.needed === 0) figure.byKey.delete(listEvidence.key);
    else figure.byKey.set(listEvidence.key, after);
  }
}

function count(figure: ListFigure, { there, named, needed }: CountByType, by: 1 | -1): void {
  if (there > 0) figure.there += by;
  if (needed > 0) figure.needed += by;
  if (named > 0) figure[there > 0 ? 'found' : 'missed'] += by;
}
