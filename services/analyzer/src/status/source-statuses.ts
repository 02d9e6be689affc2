import type { SourceStatus } from '@ovn-steward/contracts/status/source-status';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { SOUTHBOUND, SOUTHBOUND_KINDS } from '@ovn-steward/judgement/world/southbound-kinds';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { auditSources } from './audit-sources';

type KnownCluster = Pick<Engine, 'streams' | 'world' | 'unknowns' | 'pairing'>;

/** What rules read. A source without records has a status, too: nothing is known of it. */
const READ_BY_RULES = ['kubernetes', 'ovn-nb', SOUTHBOUND];

const sourceOf = (kind: string): string =>
  kubernetesKind(kind) ? 'kubernetes' : SOUTHBOUND_KINDS.has(kind) ? SOUTHBOUND : 'ovn-nb';

/** The sources without which each rule says nothing, by its id. */
const SOURCES_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  RULES.map(({ id, subject, reads }) => [id, new Set([subject, ...reads].map(sourceOf))]),
);

/** What is known of a source, without its writer and time. */
export type KnownSource = Omit<
  SourceStatus,
  'version' | 'cluster' | 'findingsThrough' | 'analyzer' | 'writtenAt'
>;

/** Each source of a cluster, how far it is known, and what its findings therefore leave out. */
export function sourceStatuses(engine: KnownCluster): readonly KnownSource[] {
  const unknowns = engine.unknowns();
  const { is } = engine.pairing();
  const audited = new Map(auditSources(engine).map((it) => [it.id, it]));
  return [...new Set([...READ_BY_RULES, ...audited.keys()])].sort().map((source): KnownSource => {
    const { complete = false, asOf = null, kinds = [] } = audited.get(source) ?? {};
    return {
      source,
      complete,
      freshThrough: asOf,
      incomplete: kinds.flatMap(({ kind, state, reason, detail }) =>
        state === 'complete'
          ? []
          : [{ kind, state, ...(reason && { reason }), ...(detail && { detail }) }],
      ),
      withheld: unknowns.flatMap(({ rule, subject, reason }) =>
        subject === null && SOURCES_OF.get(rule)?.has(source) ? [{ rule, reason }] : [],
      ),
      unjudged: unknowns.filter(({ subject }) => subject?.source === source).length,
      pairing: is,
    };
  });
}
