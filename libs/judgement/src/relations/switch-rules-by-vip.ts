import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { defineRelation } from '../world/relation';

/** SwitchLBRules by the addresses they answer. */
export const switchRulesByVip = defineRelation({
  id: 'switch-rules-by-vip',
  kinds: ['SwitchLBRule'],
  keys: ({ object }) => (object.spec?.vip ?? '').split(',').flatMap(keyOf),
});

/** None of what is no address. */
function keyOf(text: string): string[] {
  const ip = tryParseIp(text.trim());
  return ip ? [formatIp(ip)] : [];
}
