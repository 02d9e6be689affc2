import { describeWith, ovn } from './fixture';
import { startNorthd } from './northd';
import { startOvnStandalone } from './ovn';

describeWith(ovn, 'ovn-northd', () => {
  test('works for each change, and counts it', async () => {
    const nb = await startOvnStandalone();
    const sb = await startOvnStandalone({ schema: 'sb' });
    const northd = await startNorthd({ nb: nb.remote, sb: sb.remote });
    try {
      const before = await northd.work();
      await nb.nbctl('--wait=sb', 'ls-add', 'one');
      const after = await northd.work();
      expect(after.runs).toBeGreaterThan(before.runs);
      expect(await sb.nbctl('--bare', '--columns=_uuid', 'list', 'Datapath_Binding')).toMatch(/\S/);
    } finally {
      await northd.stop();
      await Promise.all([nb.stop(), sb.stop()]);
    }
  });
});
