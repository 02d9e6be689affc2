import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { recording } from '@ovn-steward/testbed/recordings';
import { startController } from './incidents/actor/controller';
import { type Stage, startStage } from './incidents/stage';

describeWith(ovn, 'with a living OVN', () => {
  describeWith(
    kubernetes,
    'and a living Kubernetes, both with a healthy recorded cluster in them',
    () => {
      let stage: Stage;
      beforeAll(async () => {
        stage = await startStage({
          database: recording('clean', 'nb.db'),
          cluster: recording('clean', 'kubernetes.json'),
        });
      });
      afterAll(() => stage?.stop());
      const versions = async (): Promise<string[]> =>
        (
          await Promise.all(
            ['Subnet', 'Vpc', 'Namespace', 'IP', 'Pod', 'IptablesEIP'].map((it) =>
              stage.objects.list(it),
            ),
          )
        )
          .flat()
          .map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`);

      test('the actor has nothing to write: by its arithmetic, names and annotations all is as a real controller left it', async () => {
        const rows = await stage.northbound.picture();
        const objects = await versions();
        await startController(stage.northbound, stage.objects, { vpcFinalizer: true }).settle();
        expect(await stage.northbound.picture()).toEqual(rows);
        expect(await versions()).toEqual(objects);
      });

      test('steward subnets shows of the living cluster what it shows of the recorded one', async () => {
        const living = await stage.run('steward subnets');
        const recorded = await stage.run(
          `steward subnets --ovn-nb ${recording('clean', 'nb.db')} --kubernetes ${recording('clean', 'kubernetes.json').replace('/kubernetes.json', '')}`,
        );
        // The pace of the recorded hour is over by now: the columns of the forecasts, of subnets
        // and of VPCs, are its own.
        const withoutForecast = (text: string): string[] =>
          text.split('\n').map((line) =>
            line
              .split(/ {2,}/)
              .filter((_, column, all) => (all.length > 6 ? column !== 8 : column < 4))
              .join('  '),
          );
        expect(withoutForecast(living.stdout)).toEqual(withoutForecast(recorded.stdout));
        expect(living.stdout.split('\n')).toHaveLength(24);
        expect([living.code, recorded.code]).toEqual([0, 0]);
      });
    },
  );
});
