import type { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';
import type { OpenSender } from '../send/sender';
import { alertmanager } from './alertmanager';
import { cloudevents } from './cloudevents';
import { cloudeventsBinary } from './cloudevents-binary';
import { kafka } from './kafka';
import { kafkaBinary } from './kafka-binary';
import { kubernetesEvents } from './kubernetes-events';
import { ocsf } from './ocsf';
import { overHttp } from './over-http';
import { slack } from './slack';
import { webhook } from './webhook';

/**
 * Every type of sink, by the word the settings have for it. A new one: its file, its line here, its
 * word in `SinkSettings`.
 */
export const SINKS: Readonly<Record<SinkSettings['type'], OpenSender>> = {
  alertmanager: overHttp(alertmanager),
  cloudevents: overHttp(cloudevents),
  'cloudevents-binary': overHttp(cloudeventsBinary),
  kafka,
  'kafka-binary': kafkaBinary,
  'kubernetes-events': kubernetesEvents,
  ocsf: overHttp(ocsf),
  slack: overHttp(slack),
  webhook: overHttp(webhook),
};
