import { recordedSystems } from '../testing/recorded-systems';
import { describeProver } from './prover.contract';

describeProver('in memory', async (recording) => ({ systems: await recordedSystems(recording) }));
