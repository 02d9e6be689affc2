import { type Built, ip } from './builders';

/**
 * What is remembered of the address record of that name, 10.17.0.10 of subnet `apps`.
 *
 * @param keeper whose it was; without one it is a reservation that went as a controller started.
 */
export function formerAddress(
  name: string,
  keeper: Built<'StatefulSet' | 'VirtualMachine'> | undefined,
): Built<'Former_Address'> {
  const { object, ...record } = ip(name, { podType: keeper?.kind ?? '' }, { uid: 'former' });
  return {
    ...record,
    kind: 'Former_Address',
    object: {
      ...object,
      deletedAt: '2026-01-01T00:10:00Z',
      ...(keeper
        ? {
            keeper: {
              kind: keeper.kind,
              key: `${keeper.namespace}/${keeper.name}`,
              uid: keeper.uid,
            },
          }
        : { ledSince: '2026-01-01T00:09:40Z' }),
    },
  };
}
