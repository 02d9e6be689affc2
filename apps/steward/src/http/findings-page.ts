import type { Picture } from '@ovn-steward/analyzer';
import type { FindingsPage, FindingsQuery } from './schemas';

/** One page of the findings that match, in the order of their ids, so that pages fit together while findings come and go. */
export function findingsPage(picture: Pick<Picture, 'findings' | 'resolved' | 'now'>, query: FindingsQuery, ready: boolean): FindingsPage {
  const candidates = query.state === 'resolved' ? picture.resolved() : picture.findings();
  const matching = candidates.filter((it) =>
    (query.state === undefined || it.state === query.state) && (query.rule === undefined || it.rule === query.rule) && (query.class === undefined || it.class === query.class));
  const behind = matching.filter((it) => query.after === undefined || it.id > query.after).sort((a, b) => (a.id < b.id ? -1 : 1));
  const findings = behind.slice(0, query.limit);
  return { asOf: picture.now || null, ready, total: matching.length, findings, next: behind.length > findings.length ? findings.at(-1)!.id : null };
}
