import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { Proposal } from '@ovn-steward/executor';
import { type Diagnosis, drawnIn } from './diagnosis';

const OF_THE_DOCTOR = new Set(['stuck', 'leak']);

/**
 * What can be proven now of the way out: the findings of what is drawn. Where all is to be freed and Kube-OVN was taken away, also what nobody but its
 * controller would ever remove: the garbage it left.
 * @param revision tells this look from others; a later look has a greater one.
 */
export function freeing(
  engine: Engine,
  diagnosis: Diagnosis,
  all: boolean,
  revision: number,
): readonly Proposal[] {
  const drawn = drawnIn(diagnosis.trees);
  const isLeft = all && diagnosis.controller === 'gone';
  return engine.findings().flatMap((finding) => {
    const isMeant =
      (OF_THE_DOCTOR.has(finding.class) && drawn.has(finding.subject.uid)) ||
      (isLeft && finding.class === 'garbage');
    return finding.remedy !== null && finding.resolvedAt === null && isMeant
      ? [{ ...finding, remedy: finding.remedy, revision }]
      : [];
  });
}
