import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import { describeSource } from '../source-kit/source.contract';
import type { SourceRequest, SourceType, Where } from '../source-kit/source-type';
import { sourceTypeOf } from './source-type-of';

interface SourceTypeCase<S extends SourceId> {
  /** It names something that holds at least one object. */
  readonly request: SourceRequest<S>;
  /** Names something of the same type of which nothing can be read. */
  readonly unreadable: () => Promise<Where<S>>;
  readonly close?: () => Promise<void>;
}

/**
 * What every type of the registry promises: what it accepts is read by it, and its sources keep the
 * contract of sources. `open` makes a fresh case each time.
 */
export function describeSourceType<S extends SourceId>(
  name: string,
  type: SourceType<S>,
  open: () => Promise<SourceTypeCase<S>>,
): void {
  describe(`${name} (source type contract)`, () => {
    it('is taken for what it accepts', async () => {
      const { request, close } = await open();
      expect(type.accepts(request.where)).toBe(true);
      expect(sourceTypeOf(request.system, request.where)).toBe(type);
      expect(type.open(request).source).toBe(request.system);
      await close?.();
    });
  });

  describeSource(name, async () => {
    const { request, unreadable, close } = await open();
    return {
      source: type.open(request),
      endless: type.isLive,
      unreadable: async () => ({ source: type.open({ ...request, where: await unreadable() }) }),
      ...(close ? { close } : {}),
    };
  });
}
