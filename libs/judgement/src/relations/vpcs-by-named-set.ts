import { namesInMatch } from '../ownership/match-names';
import { defineRelation } from '../world/relation';

/** The VPCs of which a policy route names an address set in its match, by the set's name. */
export const vpcsByNamedSet = defineRelation({
  id: 'vpcs-by-named-set',
  kinds: ['Vpc'],
  keys: ({ object: { spec } }) => [
    ...new Set(
      (spec?.policyRoutes ?? []).flatMap(({ match }) =>
        typeof match === 'string' ? namesInMatch(match).addressSets : [],
      ),
    ),
  ],
});
