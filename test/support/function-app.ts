/** svc over HTTP with functions that run in a real sandbox. */
import { createOwnHosts, type OwnHosts } from '#core/function/own-hosts.ts'
import { createFunctionSurface, type SurfaceDeps } from '#http/surfaces/function-surface.ts'
import { createFunctionCaller } from '#service/functions/call-function.ts'
import { createCallGate, type GateLimits } from '#service/functions/call-gate.ts'
import { createCallLog } from '#service/functions/call-log.ts'
import { createHostResolver } from '#service/functions/resolve-host.ts'
import { denoProvider, openPool } from '../sandbox/job.ts'
import { createTestApp, type TestAnswer, type TestApp, WS } from './create-test-app.ts'

export const MAX_FUNCTION_BODY = 200_000

const GATE: GateLimits = {
  atOnce: 4,
  most: 16,
  reserve: 4,
  patienceMs: 50,
  waiting: 1_000,
  waitingOfWorkspace: 100,
  waitingOfClient: 200,
  waitingOfBoth: 200,
  maxWaitMs: 30_000,
}

export type FunctionAppOptions = Readonly<{
  /** @default apps.test */
  appsDomain?: string
  baseUrl?: string
  dnsServers?: readonly string[]
  gate?: Partial<GateLimits>
  countCall?: SurfaceDeps['countCall']
}>

export type FunctionApp = Readonly<{
  app: TestApp
  /** The token of the super admin. */
  token: string
  ownHosts: OwnHosts
  warnings: readonly string[]
  /** Deploys functions by path, `functions/<name>/…`. @param path of the app; @default app shop */
  deploy: (
    files: Readonly<Record<string, string>>,
    path?: string,
    as?: string,
  ) => Promise<TestAnswer>
  /** Writes the records of calls immediately. */
  flushCalls: () => Promise<void>
  close: () => Promise<void>
}>

const upload = async (files: Readonly<Record<string, string>>) => {
  const form = new FormData()
  for (const [name, text] of Object.entries(files)) form.set(name, new Blob([text]), 'file')
  const made = new Response(form)
  const headers = { 'content-type': made.headers.get('content-type') ?? '' }
  return { body: new Uint8Array(await made.arrayBuffer()), headers }
}

export const createFunctionApp = async (options: FunctionAppOptions = {}): Promise<FunctionApp> => {
  const { appsDomain = 'apps.test', baseUrl, dnsServers } = options
  const ownHosts = createOwnHosts({ urls: [baseUrl], appsDomain })
  const pool = openPool(denoProvider())
  const warnings: string[] = []
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message: string, fields: unknown) =>
      void warnings.push(`${message} ${JSON.stringify(fields)}`),
    error: () => undefined,
  }
  // advance the clock by a minute at each call, so that no host name comes from the cache
  let clock = 0
  const now = (): number => (clock += 60_000)
  const flushes: (() => Promise<void>)[] = []
  const app = await createTestApp({
    ownHosts,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(dnsServers === undefined ? {} : { dnsServers }),
    functions: (deps) => {
      const calls = createCallLog(deps, log)
      flushes.push(() => calls.close())
      return createFunctionSurface({
        hosts: createHostResolver(deps, { ownHosts, now }),
        functions: createFunctionCaller({
          ...deps,
          sandbox: pool,
          log,
          calls,
          callGate: createCallGate({ ...GATE, ...options.gate }),
        }),
        maxBodyBytes: MAX_FUNCTION_BODY,
        countCall: options.countCall ?? (() => undefined),
        baseUrl: baseUrl ?? null,
      })
    },
  })
  const flushCalls = async (): Promise<void> => {
    for (const flush of flushes) await flush()
  }
  const token = await app.token(['*'])
  return {
    app,
    token,
    ownHosts,
    warnings,
    flushCalls,
    deploy: async (files, path = `/api/w/${WS}/apps/shop/functions`, as = token) =>
      app.call('POST', `${path}/deploy`, { token: as, ...(await upload(files)) }),
    close: async () => {
      await flushCalls()
      await pool.close()
      await app.close()
    },
  }
}
