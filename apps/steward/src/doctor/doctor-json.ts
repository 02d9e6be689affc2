import type { DiagnosisNode } from '@ovn-steward/judgement/doctor/tree';
import { referenceTo } from '@ovn-steward/judgement/world/entity';
import type { Diagnosis } from './diagnosis';

/** A diagnosis for machines: names of objects instead of sentences about them. */
export const doctorDocument = ({
  trees,
  repairs,
  controller,
  well,
  missing,
  unknown,
}: Diagnosis) => ({
  stuck: trees.map(nodeDocument),
  steps: repairs.flatMap(({ root, steps }) =>
    steps.map(({ node, who, what, run, remedy }) => ({
      who,
      what,
      ...(run === undefined ? {} : { run }),
      about: referenceTo(node.entity),
      frees: referenceTo(root.entity),
      ...(remedy && { remedy }),
    })),
  ),
  controller,
  well,
  missing,
  unknown,
});

interface NodeDocument {
  readonly [field: string]: unknown;
}

function nodeDocument({
  entity,
  state,
  since,
  waits,
  rule,
  summary,
  remedy,
  unknown,
  again,
}: DiagnosisNode): NodeDocument {
  return {
    subject: referenceTo(entity),
    state,
    ...(since === undefined ? {} : { since }),
    ...(rule === undefined ? {} : { rule }),
    ...(summary === undefined ? {} : { says: summary }),
    ...(remedy === undefined ? {} : { remedy }),
    ...(unknown === undefined ? {} : { unknown }),
    ...(again && { again }),
    waits: waits.map((wait) => ({
      because: wait.because,
      ...(wait.remedy === undefined ? {} : { mend: wait.remedy }),
      ...(wait.run === undefined ? {} : { run: wait.run }),
      of: wait.of.map(nodeDocument),
      more: wait.more,
    })),
  };
}
