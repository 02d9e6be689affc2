import { runService } from '@ovn-steward/service/run-service';
import { keepHeapClose } from '@ovn-steward/shared/heap-growth';
import { packageVersion } from '@ovn-steward/service/settings/version-of';
import { accessOf } from '@ovn-steward/systems/access/access-of';
import { ANALYZER_SERVICE_METRICS } from './service/metrics';
import { AnalyzerModule } from './service/analyzer.module';

keepHeapClose();

void runService(
  {
    name: 'analyzer',
    command: 'steward-analyzer',
    version: packageVersion(__dirname),
    listen: '127.0.0.1:9471',
    ofOneCluster: false,
    accessOf,
    metrics: ANALYZER_SERVICE_METRICS,
    description:
      'judges the changes in the log and publishes findings; several share the clusters between them.',
  },
  AnalyzerModule,
).then((code) => process.exit(code));
