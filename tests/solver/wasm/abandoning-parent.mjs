// Starts a host, says its pid, and waits to be killed.
import { fork } from 'node:child_process';

const dist = new URL('../../../dist/solver/wasm/', import.meta.url);
const host = fork(new URL('host.js', dist), [process.argv[2]], {
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  serialization: 'advanced',
  execArgv: ['--import', new URL('preload.js', dist).href],
});
host.once('message', () => {
  host.send({
    text: '(declare-const a Int)(assert (= (* a a a) 115))(check-sat)',
    options: [],
    wallMs: 60_000,
    model: false,
  });
  console.log(host.pid);
});
setInterval(() => {}, 1000);
