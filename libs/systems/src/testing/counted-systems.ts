import type { Systems } from '../systems';

/** The same systems, each request recorded. */
export function counted({ northbound, kubernetes }: Systems): {
  systems: Systems;
  calls: { northbound: number; kubernetes: number; names: string[] };
} {
  const calls = { northbound: 0, kubernetes: 0, names: [] as string[] };
  const comment = <T extends object>(port: T, which: 'northbound' | 'kubernetes'): T =>
    new Proxy(port, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          calls[which] += 1;
          calls.names.push(
            `${String(property)}${which === 'kubernetes' ? `:${given.filter((each) => typeof each === 'string').join('/')}` : ''}`,
          );
          return (value as (...all: unknown[]) => unknown)(...given);
        };
      },
    });
  return {
    systems: {
      northbound: comment(northbound, 'northbound'),
      kubernetes: comment(kubernetes, 'kubernetes'),
    },
    calls,
  };
}
