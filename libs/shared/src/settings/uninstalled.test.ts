import { UNINSTALLED, uninstalledOf, uninstalledText } from './uninstalled';

const NB = 'nb:5d02d3d0-9a3c-4ee1-a0cb-9c6e1b7f3a54';
const UID = '0f6f7a3e-33c5-4f6b-8a3e-6f6f0c4f2d11';

test.each([`${NB}/${UID}`, `cid:5d02d3d0-9a3c-4ee1-a0cb-9c6e1b7f3a54/${UID}`])(
  '%s names a pair, and is what the pair gives',
  (text) => {
    expect(UNINSTALLED.test(text)).toBe(true);
    expect(uninstalledText(uninstalledOf(text))).toBe(text);
  },
);

test.each([
  '',
  'true',
  'production',
  NB,
  UID,
  `${NB}/`,
  `/${UID}`,
  `${NB}/${UID}/x`,
  `${UID}/${NB}`,
])('%j does not', (text) => expect(UNINSTALLED.test(text)).toBe(false));
