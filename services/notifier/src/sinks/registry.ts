import type { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';
import { alertmanager } from './alertmanager';
import type { SinkType } from './sink';
import { slack } from './slack';
import { webhook } from './webhook';

/** Every type of sink, by the word the settings have for it. A new one: its file, its line here, its word in `SinkSettings`. */
export const SINKS: Readonly<Record<SinkSettings['type'], SinkType>> = {
  alertmanager,
  slack,
  webhook,
};
