import { Controller, Get, Post, Query } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Access } from '@ovn-steward/shared/access';
import { Failure } from '@ovn-steward/shared/errors';
import { z } from 'zod';
import { ApiQueryOf } from '../http/api';
import { startApp, type TestedApp } from '../testing/http-app';
import { AccessGuard } from './access-guard';
import { AllowedTo } from '../http/route-access';

const asked: (string | undefined)[][] = [];
const refused: number[] = [];
const access: Access = {
  authenticate: async (token) => {
    if (token === 'down') throw new Failure('source-unreachable', 'the API server is silent');
    if (token !== 'anna') throw new Failure('access-unauthenticated', 'nobody');
    return { user: 'anna', groups: [], method: 'kubernetes' };
  },
  authorize: async (_, verb, cluster) => {
    asked.push([verb, cluster]);
    if (cluster === undefined) throw new Failure('access-forbidden', 'not all clusters');
  },
};

@Controller()
class Things {
  @Get('open')
  @AllowedTo('open')
  open(): object {
    return {};
  }
  @Get('all')
  all(@Query() _: object): object {
    return {};
  }
  @Get('filtered')
  @ApiQueryOf(z.strictObject({ cluster: z.string().optional() }))
  filtered(): object {
    return {};
  }
  @Post('decide')
  @AllowedTo('decide')
  decide(): object {
    return {};
  }
}

let app: TestedApp;
let url: string;
beforeAll(async () => {
  app = await startApp({
    controllers: [Things],
    providers: [
      { provide: APP_GUARD, useValue: new AccessGuard(access, (status) => refused.push(status)) },
    ],
  });
  url = app.url;
});
afterAll(() => app.close());

const status = async (path: string, token?: string, method = 'GET'): Promise<number> =>
  (
    await fetch(url + path, {
      method,
      headers: { connection: 'close', ...(token && { authorization: `Bearer ${token}` }) },
    })
  ).status;

test('a route is read by who may read, and one that is open by everybody', async () => {
  expect(await status('/open')).toBe(200);
  expect(await status('/all')).toBe(401);
  expect(await status('/all', 'forged')).toBe(401);
  expect(await status('/all', 'down')).toBe(503);
  expect(await status('/all', 'anna')).toBe(403);
  expect(refused).toEqual([401, 401, 503, 403]);
});

test('the right for one cluster opens only what answers of that cluster alone', async () => {
  expect(await status('/filtered?cluster=berlin-1', 'anna')).toBe(200);
  expect(asked.at(-1)).toEqual(['get', 'berlin-1']);
  for (const path of [
    '/filtered',
    '/filtered?cluster=',
    '/filtered?cluster=a&cluster=b',
    '/all?cluster=berlin-1',
  ]) {
    expect(await status(path, 'anna')).toBe(403);
    expect(asked.at(-1)).toEqual(['get', undefined]);
  }
});

test('who decides is proven before the handler asks for his right', async () => {
  const before = asked.length;
  expect(await status('/decide', undefined, 'POST')).toBe(401);
  expect(await status('/decide', 'anna', 'POST')).toBe(201);
  expect(asked).toHaveLength(before);
});
