import { createRequire } from 'node:module';

type Packages = Readonly<
  Record<
    string,
    { readonly version?: string; readonly link?: boolean; readonly optional?: boolean }
  >
>;

const { inStep } = createRequire(__filename)('./in-step.cjs') as {
  inStep(wanted: Packages, present: Packages): boolean;
};

const wanted: Packages = {
  '': { version: '0.1.0' },
  'libs/shared': { version: '0.1.0' },
  'node_modules/@ovn-steward/shared': { link: true },
  'node_modules/zod': { version: '4.6.7' },
  'libs/shared/node_modules/yaml': { version: '2.9.1' },
  'node_modules/for-another-platform': { version: '1.0.0', optional: true },
};
const present: Packages = {
  'node_modules/@ovn-steward/shared': { link: true },
  'node_modules/zod': { version: '4.6.7' },
  'libs/shared/node_modules/yaml': { version: '2.9.1' },
};

describe('what is installed', () => {
  it('is in step where every package is there in its version', () => {
    expect(inStep(wanted, present)).toBe(true);
  });

  it.each([
    ['nothing is', {}],
    ['a package is missing', { ...present, 'node_modules/zod': undefined }],
    ['a package has another version', { ...present, 'node_modules/zod': { version: '4.6.6' } }],
    [
      'a nested package has another version',
      { ...present, 'libs/shared/node_modules/yaml': { version: '1.0.0' } },
    ],
    [
      'an optional package has another version',
      { ...present, 'node_modules/for-another-platform': { version: '0.9.0' } },
    ],
  ])('is not where %s', (_, packages) => {
    expect(inStep(wanted, JSON.parse(JSON.stringify(packages)) as Packages)).toBe(false);
  });
});
