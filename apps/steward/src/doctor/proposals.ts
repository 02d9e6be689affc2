import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { Proposal } from '@ovn-steward/executor';
import { type Diagnosis, drawnIn } from './diagnosis';

const OF_THE_DOCTOR = new Set(['stuck', 'leak']);

/**
 * What can be proven now of the steps that free it: the findings about what is drawn. Where all is
 * to be freed and Kube-OVN was uninstalled, also the garbage it left, which only its controller
 * would ever remove.
 * @param revision distinguishes this observation from others; a later one has a greater revision.
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
