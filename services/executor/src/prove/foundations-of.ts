import type { Foundations } from '@ovn-steward/contracts/actions/foundations';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import type { AnsweredQuery } from './querying-world';

/**
 * What the last run rested on, but for what the write itself holds: of the database's rows, where
 * the database is written to. That no row has a name no guard holds.
 */
export function foundationsOf(answered: readonly AnsweredQuery[], written: string): Foundations {
  const absences: Foundations['absences'] = [];
  const witnesses: Foundations['witnesses'] = [];
  const vacancies: Foundations['vacancies'] = [];
  const rows: Foundations['rows'] = [];
  for (const { question, answer, contents } of answered) {
    if (answer.is !== 'found' || question.ask === 'known') continue;
    if (question.ask === 'relation' && answer.entities.length === 0)
      vacancies.push({ relation: question.relation, key: question.key });
    if (question.ask === 'key' && kubernetesKind(question.kind)) {
      const { kind, key } = question;
      const [entity] = answer.entities;
      if (!entity) absences.push({ kind, key });
      else witnesses.push({ kind, key, uid: entity.uid, ...(contents && { hash: entity.hash }) });
    } else if (
      written === 'kubernetes' ||
      (question.ask === 'key' && answer.entities.length === 0)
    ) {
      rows.push({
        question,
        known: Object.fromEntries(
          answer.entities.filter((it) => it.source === 'ovn-nb').map((it) => [it.uid, it.hash]),
        ),
      });
    }
  }
  return { absences, witnesses, vacancies, rows };
}
