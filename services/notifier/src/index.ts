export { countNotifier } from './service/count-notifier';
export { NOTIFIER_METRICS, NOTIFIER_SERVICE_METRICS } from './service/metrics';
export { NotifierStatus } from './service/notifier-status';
export {
  NOTIFIER_FILE,
  type NotifierEvent,
  type NotifierReading,
  openNotifier,
} from './service/open-notifier';
