/**
 * Measures deployments of an app with five dependencies, by their lock file from npm's registry: of the API in this process,
 * then of `svc deploy` against a node of dist/svc, each by time that passes and by processor time.
 *
 *     make build && nice -n -15 node test/packages/measure-deploy.ts
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { createPackageCache } from '#bundle/package-cache.ts'
import { createFetchPackages } from '#service/packages/fetch-packages.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { createTestApp, WS } from '../support/create-test-app.ts'
import { startSvc } from '../support/svc-process.ts'

const NAMES = ['pg', 'pino', 'axios', 'ioredis', '@slack/web-api']
const ROUNDS = ['cold', 'warm', 'warm', 'warm']
const SVC = resolve(import.meta.dirname, '../../dist/svc')
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'project', name), 'utf8')

const imports = NAMES.map((name, at) => `import * as p${at} from '${name}'`).join('\n')
const names = NAMES.map((_, at) => `p${at}`).join(', ')

/** The files of a round. Each round has code that no earlier round had. */
const filesOf = (round: number): Readonly<Record<string, string>> => ({
  'app.yaml': 'key: five\nname: Five\nactions:\n  - { key: run, entrypoint: run.ts }\n',
  'package.json': read('package.json'),
  'package-lock.json': read('package-lock.json'),
  'run.ts': `${imports}\nexport const main = () => [${names}, ${round}].length\n`,
})

type Process = Readonly<{ pid: number; parent: number; ms: number }>

const listProcesses = (): readonly Process[] =>
  readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const at = (index: number): number => Number(fields[index])
      const ticks = at(11) + at(12) + at(13) + at(14)
      return [{ pid: Number(pid), parent: at(1), ms: ticks * TICK_MS }]
    } catch {
      // it has ended in the meantime
      return []
    }
  })

/** Processor time of a process and all its descendants that are alive or were waited for, in milliseconds. */
const processorMs = (root: number): number => {
  const all = listProcesses()
  const sum = (pid: number): number =>
    (all.find((each) => each.pid === pid)?.ms ?? 0) +
    all.filter(({ parent }) => parent === pid).reduce((total, each) => total + sum(each.pid), 0)
  return sum(root)
}

const print = (what: string, wallMs: number, cpuMs: number): void => {
  process.stdout.write(`${what}: ${Math.round(wallMs)} ms, ${Math.round(cpuMs)} ms of processor\n`)
}

const measureApi = async (folder: string): Promise<void> => {
  const app = await createTestApp({
    fetchPackages: createFetchPackages({
      registry: 'https://registry.npmjs.org/',
      cache: createPackageCache({ folder, maxBytes: 500_000_000 }),
    }),
  })
  const token = await app.token(['deployments:write'])
  for (const [round, name] of ROUNDS.entries()) {
    const upload = await toUpload(await packApp(filesOf(round)))
    const [wall, cpu] = [performance.now(), processorMs(process.pid)]
    const { status } = await app.call('POST', `/api/w/${WS}/deployments`, { token, ...upload })
    print(`API, ${name}: ${status}`, performance.now() - wall, processorMs(process.pid) - cpu)
  }
  await app.close()
}

const measureCommand = async (folder: string): Promise<void> => {
  const cwd = join(folder, 'app')
  const data = join(folder, 'data')
  const { PATH = '', NODE_EXTRA_CA_CERTS = '' } = process.env
  const env = { PATH, NODE_EXTRA_CA_CERTS, HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') }
  mkdirSync(cwd, { recursive: true })
  const start = ['start', '--data-dir', data]
  const node = startSvc(start, {
    cwd: folder,
    program: [SVC],
    env: { ...env, ADMIN_PASSWORD: 'a long enough password' },
  })
  const [, url = ''] = await node.untilSaid(/(http:\/\/127\.0\.0\.1:\d+)/)
  const token = execFileSync(
    SVC,
    ['create-token', 'default', 'admin@localhost', '--data-dir', data],
    { env, encoding: 'utf8' },
  ).trim()
  try {
    deployRounds({ cwd, env: { ...env, SVC_URL: url, SVC_TOKEN: token }, node })
  } finally {
    await node.stop()
  }
}

type Rounds = Readonly<{
  cwd: string
  env: Readonly<Record<string, string>>
  node: ReturnType<typeof startSvc>
}>

const deployRounds = ({ cwd, env, node }: Rounds): void => {
  const { pid = 0 } = node.child
  for (const [round, name] of ROUNDS.entries()) {
    for (const [path, text] of Object.entries(filesOf(round))) writeFileSync(join(cwd, path), text)
    const [wall, cpu] = [performance.now(), processorMs(pid)]
    const own = processorMs(process.pid)
    execFileSync(SVC, ['deploy', '--yes'], { cwd, env })
    const wallMs = performance.now() - wall
    const nodeMs = processorMs(pid) - cpu
    // the node is a descendant of this process, too
    print(`svc deploy, ${name}: node`, wallMs, nodeMs)
    print(`svc deploy, ${name}: both`, wallMs, processorMs(process.pid) - own)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'svc-measure-'))
await measureApi(join(folder, 'packages'))
await measureCommand(folder)
rmSync(folder, { recursive: true, force: true })
process.exit()
