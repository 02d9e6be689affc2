import { scriptedApi, type ScriptedApi } from '../testing/scripted-api';
import { eventSeries, type RepeatedEvent } from './event-series';

const EVENT: RepeatedEvent = {
  regarding: { kind: 'Subnet', name: 'apps', uid: 'u1' },
  type: 'Warning',
  reason: 'LeakedIp',
  action: 'Audit',
  note: 'one finding',
  series: 'a',
  occurrence: '1',
};

describe('an event that the API server does not take', () => {
  let api: ScriptedApi;
  beforeEach(async () => void (api = await scriptedApi()));
  afterEach(() => api.stop());

  test.each([
    [403, 'source-forbidden', /no\. Grant create, get and patch on events of events\.k8s\.io\.$/],
    [404, 'source-broken', /no\. Check that the API server serves events\.k8s\.io\/v1\.$/],
    [409, 'source-broken', /no\. Check that the API server serves events\.k8s\.io\/v1\.$/],
  ])('with HTTP %i fails, and says what to do', async (status, code, message) => {
    api.answer = () => [status, { kind: 'Status', message: 'no' }];
    const series = eventSeries(api.access, 'ovn-steward.dev/test');
    await expect(series.write(EVENT, new AbortController().signal)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
    series.close();
  });
});
