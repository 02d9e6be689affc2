import { Settings } from './settings';

const parse = (sink: object, name = 'chat') =>
  Settings.safeParse({ notify: { sinks: { [name]: sink } } });
const SLACK = { type: 'slack', url: 'https://hooks.example.org/x' };

test('has what a sink needs by default', () =>
  expect(parse(SLACK).data?.notify.sinks['chat']).toEqual({
    ...SLACK,
    about: ['findings'],
    routes: [],
    wait: 30_000,
    every: 300_000,
    perMinute: 20,
    timeout: 10_000,
  }));

test.each([
  ['neither URL nor file', { type: 'slack' }],
  ['both', { ...SLACK, urlFile: 'f' }],
  ['a URL that is none', { ...SLACK, url: 'hooks.example.org' }],
  ['another protocol', { ...SLACK, url: 'file:///etc/passwd' }],
  ['a type nobody knows', { ...SLACK, type: 'pager' }],
  ['a route that names nothing of its list', { ...SLACK, routes: [{ vpcs: [] }] }],
  ['a route with a word nobody knows', { ...SLACK, routes: [{ vpc: ['red'] }] }],
  ['no rate', { ...SLACK, perMinute: 0 }],
])('refuses %s', (_, sink) => expect(parse(sink).success).toBe(false));

test('refuses a name that would not do as a label', () =>
  expect(parse(SLACK, 'Team Red').success).toBe(false));
