import { signOfLife } from '@ovn-steward/judgement/rule-kit/uninstalled';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { ledByController, type Pause } from './controller-lease';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { QueryingWorld } from './querying-world';
import { fetchAnswers, type ProofSources } from './fetch-answers';
import type { Statement } from './live-pairing';

/** All queries are made in the first round, and answered before the second. */
const ROUNDS = 2;

/**
 * The statements of people that Kube-OVN was uninstalled (`UNINSTALLED`), held against the living
 * systems.
 * @param sources what to read from, with nothing remembered.
 */
export const liveStatement = (
  statements: readonly string[],
  kubernetes: Pick<Kubernetes, 'get'>,
  kubeOvn: Settings['executor']['kubeOvn'],
  sources: (signal: AbortSignal) => Promise<ProofSources>,
  pause?: Pause,
): Statement => ({
  statements,
  life: async (signal) =>
    (await ledByController(kubernetes, kubeOvn, signal, pause && { pause })) ??
    (await livingSign(await sources(signal), signal)),
});

async function livingSign(from: ProofSources, signal: AbortSignal): Promise<string | undefined> {
  const world = new QueryingWorld();
  for (let round = 0; round <= ROUNDS; round++) {
    world.begin();
    const sign = signOfLife(world);
    const open = world.open();
    if (open.length === 0) return world.doubt() ?? sign;
    for (const [question, answer] of await fetchAnswers(open, from, signal))
      world.answer(question, answer);
  }
  throw new Failure('source-broken', 'whether Kube-OVN was uninstalled was not answered in full');
}
