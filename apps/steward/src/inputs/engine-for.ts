import { createEngine } from '@ovn-steward/judgement/create-engine';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { userProtection } from '@ovn-steward/judgement/protection';
import { ruleSwitches } from '@ovn-steward/judgement/switches';
import type { Settings } from '@ovn-steward/shared/settings/settings';

/**
 * An engine over an empty world that judges as the settings say.
 * @param recorded whether it will hold recordings, each of one moment, and nothing follows what
 *   they hold.
 */
export function engineFor(settings: Settings, recorded: boolean): Engine {
  const switches = ruleSwitches(settings.rules);
  return createEngine(
    {
      cluster: settings.cluster,
      grace: settings.grace,
      graceOf: (finding) => switches.graceOf(finding),
      suppressedBy: (finding) => switches.surelyOff(finding),
      isProtected: userProtection(settings.protect),
      uninstalled: settings.uninstalled,
    },
    recorded,
    !recorded,
  );
}
