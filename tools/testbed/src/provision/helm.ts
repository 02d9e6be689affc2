import { type GoProgram, goProgramAtHand, provisionGoProgram } from './go-program';
import type { Progress } from './progress';

/** The release that helm/go.mod requires; a test holds the two equal. */
export const HELM_VERSION = 'v3.22.0';

/** Helm's own command, as a tool of our Go module. */
const HELM: GoProgram = {
  name: 'helm',
  version: HELM_VERSION,
  target: 'helm.sh/helm/v3/cmd/helm',
  stamps: { 'helm.sh/helm/v3/internal/version.version': HELM_VERSION },
  takes: 'about 3 minutes',
};

/**
 * The built helm in the cache, if it is there. The machine's own is not asked: what is rendered
 * must not hang on its version.
 */
export const helmAtHand = (): string | undefined => goProgramAtHand(HELM);

/** Builds helm from its Go modules, once for this machine. */
export const provisionHelm = (progress: Progress): Promise<string> =>
  provisionGoProgram(HELM, progress);
