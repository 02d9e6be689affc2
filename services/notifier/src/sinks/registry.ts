import type { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';
import { alertmanager } from './alertmanager';
import { cloudevents } from './cloudevents';
import { cloudeventsBinary } from './cloudevents-binary';
import { ocsf } from './ocsf';
import type { SinkType } from './sink';
import { slack } from './slack';
import { webhook } from './webhook';

/** Every type of sink, by the word the settings have for it. A new one: its file, its line here, its word in `SinkSettings`. */
export const SINKS: Readonly<Record<SinkSettings['type'], SinkType>> = {
  alertmanager,
  cloudevents,
  'cloudevents-binary': cloudeventsBinary,
  ocsf,
  slack,
  webhook,
};
