import { type Audit, audited } from '../audited';
import { type Entry, plant } from '../faults';
import { networkState } from '../network-state';
import { releaseGiven } from '../provided';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';
import { untaggedIn } from './untagged';

interface Action {
  readonly id: string;
  readonly state: string;
  readonly target: { readonly kind: string; readonly name: string };
}

const uidsOf = ({ findings }: Audit): ReadonlySet<string> =>
  new Set(findings.flatMap((it) => [it.subject, ...it.concerns]).map((it) => it.uid));
const uidOf = ({ uuid, uid }: Entry): string => uuid ?? uid ?? '';

export const planApplyUndo: Scenario = {
  name: 'plan-apply-undo',
  about:
    'What the controller did not see go is planned and removed and nothing else; the controller’s next start changes nothing; what is undone is honoured by it when its owners return.',
  async run({ rig, healthy, shell, measured }) {
    const opened = shell(AT_ONCE);
    const planted = await plant(rig);
    await settles(rig, await networkState(rig), 'what is planted stands');
    const alive = await networkState(rig);
    const left = await planted.lose();
    const lost = await networkState(rig);
    const isUntagged = await untaggedIn(rig, left);
    await rig.restartController(0);
    const found = uidsOf(await audited(opened));
    const wrong = left
      .filter((entry) => !found.has(uidOf(entry)))
      .map(({ table, kind, name }) => `not found: ${table ?? kind ?? ''} ${name}`)
      .filter((line) => !isUntagged(line));
    measured(
      'rows without a tag, kept',
      left.filter(({ table, name }) => isUntagged(`: ${table} ${name}`)).length,
    );

    await opened.run('steward plan --look --out plan.yaml');
    const applied = await opened.run('steward apply plan.yaml');
    if (applied.code !== 0) wrong.push(`apply ended with ${applied.code}: ${applied.stdout}`);
    wrong.push(...(await settles(rig, healthy, 'applied')).filter((line) => !isUntagged(line)));
    await rig.restartController(COLLECTS_EVERY);
    wrong.push(...(await settles(rig, healthy, 'applied, and the controller started')));

    await rig.restartController(0);
    const { stdout } = await opened.run('steward actions --output json');
    const said = JSON.parse(stdout) as Action[] | { readonly actions: Action[] };
    const actions = Array.isArray(said) ? said : said.actions;
    for (const { id, target } of actions.filter(({ state }) => state === 'done').reverse()) {
      const undone = await opened.run(`steward undo ${id}`);
      if (undone.code !== 0)
        wrong.push(
          `undo of ${target.kind} ${target.name} ended with ${undone.code}: ${undone.stdout}`,
        );
    }
    // A port comes back only with its pod, as the undo says.
    wrong.push(
      ...(await settles(rig, lost, 'undone', 15_000)).filter(
        (one) =>
          one.includes(': lost: ') && !one.includes('Logical_Switch_Port') && !isUntagged(one),
      ),
    );
    // v1.12 takes an IP that was put back at its next start alone, and only that of a StatefulSet.
    const isTakenAtStart = releaseGiven().startsWith('v1.12.');
    const isHonoured = (line: string): boolean => !isTakenAtStart || !line.includes(' bare.shop:');
    if (isTakenAtStart) await rig.restartController(0);
    await planted.bringBack();
    wrong.push(
      ...(await settles(rig, alive, 'undone, and the owners are back')).filter(isHonoured),
    );
    await rig.restartController(COLLECTS_EVERY);
    wrong.push(
      ...(await settles(rig, alive, 'undone, owners back, and the controller started')).filter(
        isHonoured,
      ),
    );
    await planted.remove();
    wrong.push(...(await settles(rig, healthy, 'removed by its owners')));
    opened.close();
    return wrong;
  },
};
