import { testUnenforcedAdminPolicy } from '../testing/unenforced-admin-policy';
import rule from './cluster-network-policy-without-acls';

testUnenforcedAdminPolicy('ClusterNetworkPolicy', rule);
