import { testUnenforcedAdminPolicy } from '../testing/unenforced-admin-policy';
import rule from './baseline-admin-network-policy-without-acls';

testUnenforcedAdminPolicy('BaselineAdminNetworkPolicy', rule);
