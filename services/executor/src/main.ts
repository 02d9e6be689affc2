import { runService } from '@ovn-steward/service/run-service';
import { packageVersion } from '@ovn-steward/service/settings/version-of';
import { accessOf } from '@ovn-steward/systems/access/access-of';
import { EXECUTOR_SERVICE_METRICS } from './service/metrics';
import { ExecutorModule } from './service/executor.module';

void runService(
  {
    name: 'executor',
    command: 'steward-executor',
    version: packageVersion(__dirname),
    listen: '127.0.0.1:9472',
    ofOneCluster: false,
    accessOf,
    metrics: EXECUTOR_SERVICE_METRICS,
    description:
      'follows the findings and shows what it would do about them; does it for the cluster its settings name, where modes, approvals and plans allow it.',
  },
  ExecutorModule,
).then((code) => process.exit(code));
