/** A service that is killed while its jobs run. host-death.test.ts starts it, and it prints the process ids of its guests. */
import process from 'node:process'
import { bubblewrapProvider, denoProvider, main, nodeProvider, openPool, runJob } from './job.ts'

if (process.argv[3] !== undefined) {
  // long enough for the lines of a run to be in the pipe, too short for the guest to have checked its parent
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(process.argv[3]))
}
const PROVIDERS = { bubblewrap: bubblewrapProvider, deno: denoProvider, node: nodeProvider }
const [provider] = Object.entries(PROVIDERS).filter(([name]) => name === process.argv[2])
const pool = openPool((provider?.[1] ?? denoProvider)(), { warm: 1 })
const tell = (text: string): boolean => process.stdout.write(text)
const pid = 'globalThis.Deno ? Deno.pid : process.pid'
await Promise.all([
  runJob(pool, { code: main(`console.log(${pid}); for (;;) {}`), onLog: tell, app: 'busy' }),
  runJob(pool, {
    code: main(`console.log(${pid}); await new Promise(() => {})`),
    onLog: tell,
    app: 'waiting',
  }),
])
