import { documentOf } from '@ovn-steward/analyzer';
import type { AuditDocument } from '@ovn-steward/contracts/audit';
import { chosenFindings, type FindingsFilter } from './findings-filter';

/**
 * A document with the findings that are meant alone, counted again; without any filter the document
 * as it is. `--since` counts back from the time of the document. What could not be judged stays,
 * but for that of other rules than the one that is meant.
 * @throws Failure as `chosenFindings` does.
 */
export function chosenDocument(document: AuditDocument, filter: FindingsFilter): AuditDocument {
  const {
    ids,
    state,
    all,
    rule,
    class: sort,
    severity,
    vpc,
    subnet,
    namespace,
    since,
    sortBy,
  } = filter;
  const words = [state, rule, sort, severity, vpc, subnet, namespace, since, sortBy];
  if (!ids?.length && all !== true && words.every((it) => it === undefined)) return document;
  const at = Date.parse(document.asOf);
  const findings = chosenFindings(
    document.findings,
    filter,
    Number.isNaN(at) ? new Date() : new Date(at),
  );
  const chosen = documentOf({
    ...document,
    findings: [...findings],
    unknowns: document.unknowns.filter((it) => rule === undefined || it.rule === rule),
  });
  return sortBy === undefined ? chosen : { ...chosen, findings: [...findings] };
}
