import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT, STAGES, textOf } from './repository';

const CHART = 'examples/helm/network-and-pods/values.yaml';
const { version } = JSON.parse(textOf('package.json')) as { version: string };

const pages = ['docs', 'examples/helm', 'examples/helm/network-and-pods'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((it) => /\.(md|yaml)$/.test(it))
    .map((it) => `${folder}/${it}`),
);
const mentions = ['README.md', 'docker-compose.yml', 'deploy/docker/Dockerfile', ...pages].flatMap(
  (path) =>
    [...textOf(path).matchAll(/(?<=[\s"`])ovn-steward\/([a-z]+)(?::([\w.-]+))?(?=[\s"`]|$)/gm)].map(
      ([, target, tag]) => ({ path, target: target!, tag: tag ?? 'none' }),
    ),
);

describe('our images by their names', () => {
  it('are those that are built', () => {
    expect(mentions.length).toBeGreaterThan(8);
    expect(mentions.filter((it) => !STAGES.some(({ name }) => name === it.target))).toEqual([]);
  });

  it('each have one tag, where it is built as where it is used', () => {
    const tagsOf = (target: string): string[] => [
      ...new Set(mentions.filter((it) => it.target === target).map(({ tag }) => tag)),
    ];
    for (const { target } of mentions)
      expect([target, tagsOf(target)]).toEqual([target, [tagsOf(target)[0]]]);
  });

  it('have the version as their tag where a cluster pulls them: without a tag the kubelet takes none that it has', () => {
    const { wait } = parse(textOf(CHART)) as { wait: { image: string } };
    expect(wait.image).toBe(`ovn-steward/wait:${version}`);
    expect(mentions.filter(({ target }) => target === 'wait').map(({ path }) => path)).toEqual(
      expect.arrayContaining(['docs/network-ready.md', 'examples/helm/README.md', CHART]),
    );
  });
});
