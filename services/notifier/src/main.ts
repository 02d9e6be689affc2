import { runService } from '@ovn-steward/service/run-service';
import { packageVersion } from '@ovn-steward/service/settings/version-of';
import { accessOf } from '@ovn-steward/systems/access/access-of';
import { NOTIFIER_SERVICE_METRICS } from './service/metrics';
import { NotifierModule } from './service/notifier.module';

void runService(
  {
    name: 'notifier',
    command: 'steward-notifier',
    version: packageVersion(__dirname),
    listen: '127.0.0.1:9473',
    ofOneCluster: false,
    accessOf,
    metrics: NOTIFIER_SERVICE_METRICS,
    description:
      'follows the findings and notifies people of them, by webhook, Slack and Alertmanager.',
  },
  NotifierModule,
).then((code) => process.exit(code));
