import { runService } from '@ovn-steward/service/run-service';
import { packageVersion } from '@ovn-steward/service/settings/version-of';
import { accessOf } from '@ovn-steward/systems/access/access-of';
import { COLLECTOR_SERVICE_METRICS } from './collect/metrics';
import { CollectorModule } from './service/collector.module';

void runService(
  {
    name: 'collector',
    command: 'steward-collector',
    version: packageVersion(__dirname),
    listen: '127.0.0.1:9470',
    ofOneCluster: true,
    accessOf,
    metrics: COLLECTOR_SERVICE_METRICS,
    description:
      'reads OVN and Kubernetes and publishes what changes; one at a time is at work for a cluster.',
  },
  CollectorModule,
).then((code) => process.exit(code));
