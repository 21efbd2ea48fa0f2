/** Shared by the tests of the sandbox: a pool over a real provider, and jobs written as text. */
import { chmodSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { JsonValue } from '#core/json/value.ts'
import { findDeno } from '#platform/deno.ts'
import { createEgressProxy, type EgressOptions } from '#sandbox/egress/proxy.ts'
import { createMemoryState } from '#sandbox/host/memory-state.ts'
import { createSandboxPool } from '#sandbox/host/pool.ts'
import type { PoolOptions } from '#sandbox/host/pool-members.ts'
import { bubblewrapFault, findProgram } from '#sandbox/linux/bubblewrap-args.ts'
import { type Cgroups, openCgroups } from '#sandbox/linux/cgroups.ts'
import { createBubblewrapProvider } from '#sandbox/providers/bubblewrap.ts'
import { createDenoProvider } from '#sandbox/providers/deno.ts'
import { createNodeProvider } from '#sandbox/providers/node.ts'
import type { Provider } from '#sandbox/providers/provider.ts'
import type {
  Sandbox,
  SandboxCallbacks,
  SandboxLimits,
  SandboxOutcome,
  SandboxRun,
} from '#sandbox/sandbox.ts'
import type { StateAccess } from '#sandbox/state-access.ts'

const DEFAULT_LIMITS: SandboxLimits = {
  timeoutMs: 10_000,
  memoryMb: 128,
  resultBytes: 1_000_000,
  logBytes: 100_000,
  network: null,
}

/**
 * Guest programs are named by their content, so that tests may share them.
 * Guests run as another user, who must be able to read the folder.
 */
export const runtimeFolder = (): string => {
  const folder = join(tmpdir(), 'svc-sandbox-test')
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  return folder
}

/** @param network replaces the internet for connections that go through the egress proxy */
export const denoProvider = (network: EgressOptions = {}): Provider =>
  createDenoProvider({
    denoPath: findDeno(),
    runtimeDir: runtimeFolder(),
    egress: createEgressProxy(network),
  })

/** Null if this machine has no bubblewrap, or does not allow it to work. */
export const findBubblewrap = (): string | null => {
  const path = findProgram('bwrap')
  return path === null || bubblewrapFault(path) !== null ? null : path
}

/**
 * @param network replaces the internet
 * @param cgroups null acts as a host that provides none
 */
export const bubblewrapProvider = (
  network: EgressOptions = {},
  cgroups: Cgroups | null = openCgroups(),
): Provider => {
  const bwrapPath = findBubblewrap()
  if (bwrapPath === null) throw new Error('These tests need bubblewrap: apt-get install bubblewrap')
  return createBubblewrapProvider({
    bwrapPath,
    denoPath: findDeno(),
    runtimeDir: runtimeFolder(),
    egress: createEgressProxy(network),
    cgroups,
  })
}

export const nodeProvider = (): Provider =>
  createNodeProvider({ nodePath: process.execPath, runtimeDir: runtimeFolder() })

const isPermission = (argument: string): boolean =>
  /^--(?:allow|deny)-|^--no-remote$/.test(argument)

/** The same guests with all of Deno's permissions allowed. */
export const withoutDenoPermissions = (confined: Provider): Provider => ({
  ...confined,
  commandFor: (shape) => (folder) => {
    const command = confined.commandFor(shape)(folder)
    const args = command.args.filter((argument) => !isPermission(argument))
    return { ...command, args: args.map((arg) => (arg === '--quiet' ? '--allow-all' : arg)) }
  },
})

/** The control without confinement, in which every attempt must succeed. */
export const unconfinedProvider = (): Provider => withoutDenoPermissions(denoProvider())

/** Providers that run without confinement by the system, by their names. */
export const RUNTIMES: readonly (readonly [string, () => Provider])[] = [
  ['deno', denoProvider],
  ['node', nodeProvider],
]

export const PROVIDERS: typeof RUNTIMES = [['bubblewrap', bubblewrapProvider], ...RUNTIMES]

export const openPool = (provider: Provider, options: Partial<PoolOptions> = {}): Sandbox =>
  createSandboxPool(provider, {
    warm: 0,
    defaultShape: { memoryMb: DEFAULT_LIMITS.memoryMb, network: null },
    maxIdle: 4,
    reuse: true,
    ...options,
  })

export type Job = Readonly<{
  code: string
  input?: JsonValue
  ws?: string
  app?: string
  commit?: string
  fresh?: boolean
  limits?: Partial<SandboxLimits>
  sourceMap?: string
  signal?: AbortSignal
  state?: StateAccess
  start?: SandboxCallbacks['start']
  cancel?: SandboxCallbacks['cancel']
  trigger?: SandboxRun['trigger']
  variables?: Readonly<Record<string, string>>
  onLog?: (text: string) => void
}>

export type Ended = Readonly<{ outcome: SandboxOutcome; log: string }>

/** Runs one job to its end. The text of the code serves as its hash. */
export const runJob = async (pool: Sandbox, job: Job): Promise<Ended> => {
  let log = ''
  const outcome = await pool.run(
    {
      key: { ws: job.ws ?? 'acme', app: job.app ?? 'app', commit: job.commit ?? 'c1' },
      job: { id: 'job-1', action: 'act', attempt: 1 },
      fresh: job.fresh ?? false,
      entrypoint: 'actions/act.ts',
      bundleHash: job.code,
      loadCode: async () => ({ code: job.code, sourceMap: job.sourceMap ?? '' }),
      inputJson: JSON.stringify(job.input ?? {}),
      trigger: job.trigger ?? { kind: 'api' },
      variables: job.variables ?? { TOKEN: 't1' },
      resources: { db: { host: 'h' } },
      limits: { ...DEFAULT_LIMITS, ...job.limits },
    },
    {
      onLog: (text) => {
        log += text
        job.onLog?.(text)
      },
      getResumeUrls: async (approver) => ({ approver }),
      start: job.start ?? (async ({ number }) => `started-${number}`),
      cancel: job.cancel ?? (async () => true),
      state: job.state ?? createMemoryState(),
    },
    job.signal ?? new AbortController().signal,
  )
  return { outcome, log }
}

/** The result's value of a job that must succeed. */
export const resultOf = async (pool: Sandbox, job: Job): Promise<JsonValue> => {
  const { outcome, log } = await runJob(pool, job)
  if (outcome.kind !== 'success') throw new Error(`${JSON.stringify(outcome)} ${log}`)
  const value: JsonValue = JSON.parse(outcome.resultJson)
  return value
}

/** The error of a job that must fail. */
export const errorOf = async (
  pool: Sandbox,
  code: string,
  limits: Partial<SandboxLimits> = {},
): Promise<Readonly<{ name: string; message: string }>> => {
  const { outcome } = await runJob(pool, { code, limits })
  if (outcome.kind !== 'failure') throw new Error(JSON.stringify(outcome))
  return outcome.error
}

/** An action whose `main` has this body. */
export const main = (body: string): string => `export async function main(ctx) { ${body} }`

/** A job's attempts by name. Each is an expression that settles. */
export type Attempts = Readonly<Record<string, string>>

/**
 * Runs all attempts at once, in one job.
 * @returns per attempt `open: …` with its value, or `refused: …` with its error
 */
export const tryAll = async (
  pool: Sandbox,
  attempts: Attempts,
  { prelude = '', ...job }: Partial<Job> & Readonly<{ prelude?: string }> = {},
): Promise<Readonly<Record<string, string>>> => {
  const cases = Object.entries(attempts).map(
    ([name, expression]) => `[${JSON.stringify(name)}, async () => (${expression})]`,
  )
  const code = `${prelude}\n${main(`
    const soon = (ms) => new Promise((_, reject) => setTimeout(() => reject(new Error('nothing happened')), ms))
    const results = await Promise.all([${cases.join(',')}].map(async ([name, attempt]) => {
      try { return [name, 'open: ' + String(await Promise.race([attempt(), soon(3000)])).slice(0, 200)] }
      catch (error) { return [name, 'refused: ' + error?.name + ': ' + error?.message] }
    }))
    return Object.fromEntries(results)`)}`
  const result = await resultOf(pool, { ...job, code })
  return result as Readonly<Record<string, string>>
}

/** The attempts that were not refused, with what they returned. */
export const openOnes = (results: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(results)
    .filter(([, result]) => !result.startsWith('refused: '))
    .map(([name, result]) => `${name}: ${result}`)
