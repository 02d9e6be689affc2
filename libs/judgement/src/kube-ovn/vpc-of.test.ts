import { vpcOf, vpcOfSubnet } from './vpc-of';

test.each([
  [{ vpc: 'blue' }, 'blue'],
  [{ vpc: '' }, 'ovn-cluster'],
  [{ vpc: 7 }, 'ovn-cluster'],
  [{}, 'ovn-cluster'],
  [undefined, 'ovn-cluster'],
])('a Subnet with the spec %j is in %s', (spec, vpc) => expect(vpcOfSubnet(spec)).toBe(vpc));

test.each([
  ['its subnet’s, whatever it says', { vpc: 'own' }, { ofSubnet: 'blue', router: 'r' }, 'blue'],
  ['the one it names itself', { vpc: 'own', subnet: 'gone' }, { router: 'r' }, 'own'],
  ['that of its router', undefined, { router: 'r' }, 'r'],
  ['of a router without a name, none', undefined, { router: '' }, null],
  ['otherwise nobody knows', { subnet: 'gone' }, {}, null],
])('the VPC of a thing is %s', (_, scope, around, vpc) => expect(vpcOf(scope, around)).toBe(vpc));
