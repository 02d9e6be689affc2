import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { HttpError } from '@ovn-steward/testbed/kubernetes/http';
import type { Objects, Thing } from '../../../../e2e/incidents/actor/objects';

const LABEL = 'ovn-steward.dev/stirred';
const labels = { app: 'stirred' };
const DAEMON_SET = {
  selector: { matchLabels: labels },
  template: {
    metadata: { labels },
    spec: { containers: [{ name: 'main', image: 'registry.example/none:1.0' }] },
  },
};

/**
 * Lets something happen in every kind: of each one object is written and put back, or, where there
 * is none, made and removed. A suspicion is confirmed by what is heard later, and that nothing
 * happens in a kind is heard once a minute at most.
 * @param mayTouch of an object that is there.
 * @returns the uids of the objects that have another resourceVersion now, and nothing else.
 */
export async function stir(
  objects: Objects,
  mayTouch: (thing: Thing) => boolean,
): Promise<readonly string[]> {
  const touched = await Promise.all(
    KUBERNETES_KINDS.map(async ({ kind, namespaced }) => {
      const all = await listed(objects, kind);
      const thing = all
        ?.filter((it) => it.metadata.deletionTimestamp === undefined && mayTouch(it))
        .at(-1);
      if (thing) return touch(objects, thing);
      if (all?.length === 0) {
        const made = await objects.create({
          kind,
          metadata: { name: 'stirred', ...(namespaced && { namespace: 'default' }) },
          spec: kind === 'DaemonSet' ? DAEMON_SET : {},
        });
        await objects.remove({ kind, metadata: made.metadata });
      }
      return [];
    }),
  );
  return touched.flat();
}

/** Undefined for a kind that this cluster does not have. */
async function listed(objects: Objects, kind: string): Promise<readonly Thing[] | undefined> {
  try {
    return await objects.list(kind);
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

/** By a label: what is written into an annotation is a new generation of some kinds. */
async function touch(objects: Objects, thing: Thing): Promise<readonly string[]> {
  const {
    kind,
    metadata: { name, namespace, uid, labels: had },
  } = thing;
  const written = await objects.write({
    ...thing,
    metadata: { ...thing.metadata, labels: { ...had, [LABEL]: '' } },
  });
  const now = written ? await objects.get(kind, name, namespace) : undefined;
  if (now)
    await objects.write({
      ...now,
      metadata: { ...now.metadata, labels: had } as Thing['metadata'],
    });
  return [uid!];
}
