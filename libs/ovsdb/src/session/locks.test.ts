import { answer, startScriptedServer } from '../../test/scripted-server';
import { connect } from '../wire/connection';
import { acquireLock } from './locks';
import { JsonRpc } from '../wire/rpc';

test('a lock granted in the same packet as the refusal is held', async () => {
  const server = await startScriptedServer({
    message: (heard, socket) => {
      socket.cork();
      answer(socket, heard, { locked: false });
      socket.write(
        '{"method":"locked","params":["other"],"id":null}{"method":"locked","params":["l"],"id":null}',
      );
      socket.uncork();
    },
  });
  const rpc = new JsonRpc(await connect(server.remote), server.remote, { probeMs: 0 });
  expect((await acquireLock(rpc, 'l')).held).toBe(true);
  rpc.close();
  await server.stop();
});

test('an answer that does not say who has it is no answer', async () => {
  const server = await startScriptedServer({
    message: (heard, socket) => answer(socket, heard, {}),
  });
  const rpc = new JsonRpc(await connect(server.remote), server.remote, { probeMs: 0 });
  await expect(acquireLock(rpc, 'l')).rejects.toMatchObject({ code: 'protocol' });
  rpc.close();
  await server.stop();
});
