import type { Lack } from '@ovn-steward/service/work/lack';
import type { ExecutorActivity } from './count-executor';

/**
 * Whether what people decide can be read, by the events of an executor. While it cannot, nothing is
 * removed: somebody may have said stop.
 */
export function unreadDecisions(): {
  onEvent(event: ExecutorActivity): void;
  missing(): readonly Lack[];
} {
  let detail: string | undefined;
  return {
    onEvent(event) {
      if (event.type === 'trouble' && event.unread === true) detail = event.what;
      // A turn begins only with what was decided until then; an executor without its turn reads
      // nothing.
      if (event.type === 'turn' || event.type === 'decided') detail = undefined;
    },
    missing: () =>
      detail === undefined
        ? []
        : [{ what: 'decisions', detail: `${detail} Nothing is removed until they can be.` }],
  };
}
