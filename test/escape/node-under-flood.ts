/**
 * `make flood`: measures how long a node takes to answer /healthz while its jobs write and send requests as fast as they
 * can. Fails if the 99th percentile reaches one second. SECONDS=10 sets how long it measures.
 */
import process from 'node:process'
import { makeTemplate } from '../e2e/durable-node.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'

const FLOODS: Readonly<Record<string, string>> = {
  reads: 'for (;;) await Promise.all(Array.from({ length: 100 }, () => ctx.state.get("a")))',
  writes:
    'for (let n = 0; ; n++) await Promise.all(Array.from({ length: 100 }, () => ctx.state.set("a", n)))',
  lines: 'for (;;) console.log("x")',
  bytes: 'const bytes = new Uint8Array(65_536).fill(97); for (;;) Deno.stdout.writeSync(bytes)',
}
const MOST_P99_MS = 1_000
const LOOKERS = 4
const seconds = Number(process.env.SECONDS ?? '10')
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const names = Object.keys(FLOODS)
const manifest = `key: flood\nactions:\n${names
  .map((name) => `  - { key: ${name}, entrypoint: ${name}.ts, timeoutS: ${seconds + 20} }\n`)
  .join('')}`
const files = Object.fromEntries(
  names.map((name) => [`${name}.ts`, `export const main = async (ctx) => { ${FLOODS[name]} }\n`]),
)

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const folder = await makeTemplate()
const node = await folder.start({ args: ['start', '--concurrency', String(names.length)] })
const authorization = `Bearer ${folder.token}`

const look = async (): Promise<readonly number[]> => {
  const times: number[] = []
  const until = performance.now() + seconds * 1_000
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      const startedAt = performance.now()
      const answer = await fetch(`${node.url}/healthz`)
      await answer.arrayBuffer()
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: LOOKERS }, one))
  return times.sort((left, right) => left - right)
}

const describe = (what: string, times: readonly number[]): string =>
  `| ${what} | ${times.length} | ${[0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(0)).join(' | ')} |`

const isRunning = async (): Promise<boolean> => {
  const answer = await fetch(`${node.url}/api/w/default/jobs?status=running`, {
    headers: { authorization },
  })
  const { items } = (await answer.json()) as { items: readonly unknown[] }
  return items.length === names.length
}

try {
  const upload = await toUpload(await packApp({ 'app.yaml': manifest, ...files }))
  const deployed = await fetch(`${node.url}/api/w/default/deployments`, {
    method: 'POST',
    body: upload.body,
    headers: { authorization, ...upload.headers },
  })
  if (deployed.status !== 201) throw new Error(await deployed.text())
  say('| jobs | answers | p50 ms | p99 ms | longest ms |\n|---|---|---|---|---|')
  say(describe('none', await look()))
  for (const name of names) {
    await fetch(`${node.url}/api/w/default/jobs/run/flood/${name}`, {
      method: 'POST',
      body: '{}',
      headers: { authorization, 'content-type': 'application/json' },
    })
  }
  while (!(await isRunning()));
  const times = await look()
  say(describe(names.join(', '), times))
  process.exitCode = percentile(times, 0.99) < MOST_P99_MS ? 0 : 1
} finally {
  await node.process.stop()
  folder.remove()
}
