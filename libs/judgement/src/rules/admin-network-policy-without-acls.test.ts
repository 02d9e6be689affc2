import { testUnenforcedAdminPolicy } from '../testing/unenforced-admin-policy';
import rule from './admin-network-policy-without-acls';

testUnenforcedAdminPolicy('AdminNetworkPolicy', rule);
