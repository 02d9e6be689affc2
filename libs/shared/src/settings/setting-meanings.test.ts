import { sectionOf, settingsOf } from './config-schema';
import { SETTING_MEANINGS, meaningOf } from './setting-meanings';
import { Settings } from './settings';

test('every setting has a meaning, and nothing else has', () => {
  expect(Object.keys(SETTING_MEANINGS).sort()).toEqual(
    settingsOf(sectionOf(Settings))
      .map((it) => it.path)
      .sort(),
  );
});

test('a path nobody knows has none', () => {
  expect(() => meaningOf('constructor')).toThrow(/constructor/);
});
