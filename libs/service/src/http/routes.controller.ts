import { Controller, Get, Header, HttpException, Param, Query } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ask } from './ask';
import type { Route } from './route';

/** A controller with a handler for each route, decorated as if it had been written by hand. */
export function controllerOf(routes: readonly Route[]): Type {
  @Controller()
  class RoutesController {}
  const { prototype } = RoutesController;
  for (const route of routes) {
    const name = route.path;
    const handler = async (
      query: unknown,
      path: Readonly<Record<string, string>>,
    ): Promise<object | string> => {
      const { status, body } = await ask(route, query, path);
      if (status !== 200) throw new HttpException(body, status);
      return body;
    };
    Object.defineProperty(prototype, name, { value: handler });
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name)!;
    Query()(prototype, name, 0);
    Param()(prototype, name, 1);
    Get(name.replace(/\{(\w+)\}/g, ':$1'))(prototype, name, descriptor);
    const contentType = route.responses[200]?.contentType;
    if (contentType !== undefined) Header('Content-Type', contentType)(prototype, name, descriptor);
  }
  return RoutesController;
}
