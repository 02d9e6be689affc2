import type { Cluster } from '../cluster';
import { annotationOf } from '../cluster';
import type { Ill } from './ill';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** So often it ended that no slow installation explains it. */
const OFTEN = 10;

/** What is wrong with the controller's own runs, by what was written down of each. */
export function* controllerIlls(cluster: Cluster): Generator<Ill> {
  const { born, ended, since } = cluster.runs;
  const [pod] = [...cluster.objects.all('Pod')].filter(
    (it) => it.metadata.namespace === 'kube-system',
  );
  const last = ended.at(-1);
  if (!pod || !last) return;
  const { uid, name } = pod.metadata;
  if (since === undefined) {
    yield {
      rule: 'controller-crash-loop',
      uid,
      what: `${name} waits to be started`,
      expected: 'must',
    };
    return;
  }
  const lasted = last.to - last.from;
  const worked = lasted >= 10 * MINUTE && lasted < HOUR;
  if (ended.length < OFTEN || !worked || since - born >= ended.length * HOUR) return;
  // Pods served an hour into its run show that it lasts; the pods themselves may be gone by now.
  const served = [...cluster.objects.all('Pod')]
    .filter((it) => annotationOf(it, 'ovn.kubernetes.io/allocated') === 'true')
    .map((it) => Date.parse(String(it.metadata['creationTimestamp'])) - since);
  if (served.some((it) => it > HOUR + MINUTE)) return;
  const isClear = served.every((it) => it < HOUR - MINUTE) && cluster.now - since < 2 * HOUR;
  yield {
    rule: 'controller-ends-often',
    uid,
    what: `${name} ended ${ended.length} times, and ran for ${lasted / MINUTE} minutes before`,
    expected: isClear ? 'must' : 'may',
  };
}
