import { startStage } from './incidents/stage';
import { neighboursCollected } from './incidents/neighbours-collected';
test('x', async () => {
  const stage = await startStage(neighboursCollected);
  try {
    console.info((await neighboursCollected.play(stage, true)).join('\n'));
    const { readdirSync } = await import('node:fs');
    void readdirSync;
    console.info((await stage.run('steward restore ' + process.env['X'])).stdout);
  } catch (e) { console.info(String(e)); } finally { await stage.stop(); }
}, 100000);
