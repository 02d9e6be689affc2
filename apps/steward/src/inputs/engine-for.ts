import { createEngine } from '@ovn-steward/judgement/create-engine';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { protectionOf } from '@ovn-steward/judgement/protection';
import type { Settings } from '@ovn-steward/shared/settings/settings';

/**
 * An engine over an empty world that judges as the settings say.
 * @param recorded whether it will hold recordings, each of one moment.
 */
export const engineFor = (settings: Settings, recorded: boolean): Engine =>
  createEngine(
    {
      cluster: settings.cluster,
      grace: settings.grace,
      isProtected: protectionOf(settings.protect),
      uninstalled: settings.uninstalled,
    },
    recorded,
  );
