import type { IncomingMessage } from 'node:http';
import type { Caller } from '@ovn-steward/shared/access';

const CALLERS = new WeakMap<IncomingMessage, Caller>();

/** Remembers the sender of a request, for its handler. */
export const rememberCaller = (request: IncomingMessage, caller: Caller): void =>
  void CALLERS.set(request, caller);

/** The sender of a request, as was proven; undefined where no login is needed. */
export const callerOf = (request: IncomingMessage): Caller | undefined => CALLERS.get(request);

/** The address a request came from: of a proxy, where one stands before us. */
export const addressOfCaller = ({ socket }: IncomingMessage): string =>
  socket.remoteAddress ?? 'unknown';
