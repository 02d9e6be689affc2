export { NOTIFIER_SERVICE_METRICS } from './service/metrics';
