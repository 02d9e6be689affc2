import { FindingState } from './finding';
import { isOpen } from './is-open';

test('all but what is over or suppressed is open', () => {
  expect(FindingState.options.filter((state) => isOpen({ state }))).toEqual([
    'suspected',
    'confirmed',
  ]);
});
