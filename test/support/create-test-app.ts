import { rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { inspect } from 'node:util'
import { serve } from '@hono/node-server'
import { createConfineGit } from '#confine/confine-git.ts'
import { CLI_ACTOR } from '#core/access/actor.ts'
import type { GrantedScope } from '#core/access/scope.ts'
import type { BillingRules } from '#core/billing/price.ts'
import { createOwnHosts, type OwnHosts } from '#core/function/own-hosts.ts'
import { createGit, type GitOptions } from '#git/git.ts'
import { createClientAddress } from '#http/admission/client-address.ts'
import { createRateLimiter, type RateLimits } from '#http/admission/rate-limit.ts'
import { createHttpApp } from '#http/app.ts'
import type { Endpoints } from '#http/endpoint.ts'
import { allEndpoints } from '#http/endpoints/all.ts'
import type { SignInWays } from '#http/handlers/oidc.ts'
import type { Route } from '#http/route.ts'
import type { FunctionSurface } from '#http/surfaces/function-surface.ts'
import type { GitSurface } from '#http/surfaces/git-surface.ts'
import type { FileSurface } from '#http/surfaces/served-files.ts'
import type { Handler } from '#node/listener/listen.ts'
import { allRoutes, type RouteDeps } from '#node/routes.ts'
import { createFetchDocument } from '#outbound/fetch-document.ts'
import { createLookUpTxt } from '#outbound/look-up-txt.ts'
import { resolveHost } from '#outbound/resolve-host.ts'
import type { PdfReader } from '#pdf/reader-pool.ts'
import { type IssuedToken, issueToken } from '#service/access/issue-token.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { createLiveWorkers, type LiveWorker } from '#service/nodes/live-workers.ts'
import type { FetchPackages } from '#service/packages/fetch-packages.ts'
import { createDeliveryLog } from '#service/webhooks/delivery-log.ts'
import type { Database } from '#store/database.ts'
import { type DatabaseCondition, watchDatabase } from '#store/database-condition.ts'
import { openDatabase } from '#store/open-database.ts'
import { createAnswerCheck } from './check-answers.ts'
import { type CheckedDatabase, checkBatches } from './check-batches.ts'
import { writeBootstrapped } from './database-template.ts'
import { createLeakScan } from './leak-scan.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { createTestDeps } from './test-deps.ts'
import { openTestReader, TEST_CONFINE } from './test-reader.ts'

/** The first start creates this workspace and this super admin. */
export const WS = 'default'
export const ADMIN = 'admin@localhost'

/** The worker of a node that runs one. */
export const TEST_WORKER: LiveWorker = {
  id: '019abcde-0000-7000-8000-000000000001',
  name: 'w1',
  group: 'default',
  tags: ['default'],
  level: 'runtime',
  workspaces: [],
  cells: ['home'],
  running: 1,
  concurrency: 2,
  version: '0.0.0-test',
  lastPingAt: 1_700_000_000_000,
}

const NO_RATES: RateLimits = { run: 0, other: 0, anonymous: 0, hook: 0 }

export type LoggedError = Readonly<{ message: string; fields: Readonly<Record<string, unknown>> }>

export type TokenOptions = Readonly<{
  /** @default the super admin */
  email?: string
  /** @default the first workspace */
  ws?: string
  isAdmin?: boolean
  expiresInDays?: number
}>

export type TestRequest = Readonly<{
  token?: string
  /** Sent as application/json. */
  json?: unknown
  /** Sent unchanged. */
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  headers?: Readonly<Record<string, string>>
}>

export type TestApp = Readonly<{
  deps: AllDeps
  /** The folder of the database svc.db. */
  folder: string
  routes: readonly Route[]
  /** Route and status of every response, as the metrics get them. */
  ended: readonly string[]
  /** Errors that the server wrote to its log. */
  errors: readonly LoggedError[]
  /** Warnings that the server wrote to its log, and those about deliveries of webhooks. */
  warnings: readonly LoggedError[]
  request(method: string, path: string, request?: TestRequest): Promise<Response>
  /** Like `request`, but with the body read. */
  call(method: string, path: string, request?: TestRequest): Promise<TestAnswer>
  issue(scopes: readonly GrantedScope[], wanted?: TokenOptions): Promise<IssuedToken>
  /** The plain text of a new token. */
  token(scopes: readonly GrantedScope[], wanted?: TokenOptions): Promise<string>
  /** Answers a request as a listener passes it on. */
  handle: Handler
  /** Serves on a free port of this machine, for tests that need a socket. @returns the address, `http://127.0.0.1:…` */
  listen(): Promise<string>
  close(): Promise<void>
}>

export type TestAnswer = Readonly<{ status: number; headers: Headers; text: string; json: unknown }>

export type TestAppOptions = Readonly<{
  /** @default 1 MiB */
  maxBodyBytes?: number
  metricsToken?: string
  /** @default 100,000 */
  queueMax?: number
  maxStoredBytes?: number
  /** @default prepaid, 1,000 won per certificate */
  billing?: BillingRules
  /** Wraps the reader of PDFs. */
  wrapPdf?: (pdf: PdfReader) => PdfReader
  /** Hosts that svc may fetch from although they are not public. @default none */
  fetchAllow?: readonly string[]
  baseUrl?: string
  /** @default the hosts of `baseUrl` and localhost */
  ownHosts?: OwnHosts
  /** Name servers. @default one that never answers */
  dnsServers?: readonly string[]
  /** @default none */
  rates?: Partial<RateLimits>
  /** Peers whose X-Forwarded-For svc trusts. @default none */
  trustedProxies?: readonly string[]
  /** Folders under which git sources may be local paths. @default none */
  gitLocalRoots?: readonly string[]
  /** Git limits that differ from the defaults. */
  git?: Partial<GitOptions>
  /** Set to false in a test that measures time. @default true */
  checksBatches?: boolean
  /** Wraps the database, to make it fail. */
  wrapDatabase?: (db: Database) => Database
  /** Serves functions. @default none */
  functions?: (deps: AllDeps) => FunctionSurface
  /** Fetches packages. @default none may be fetched */
  fetchPackages?: FetchPackages
  /** @default none */
  files?: readonly FileSurface[]
  /** Accepts pushes. @default none */
  gitPush?: (deps: AllDeps) => GitSurface
  /** @default only by password */
  signIn?: SignInWays
  /** @default the limit job.tool_wait, 25 s */
  toolWaitMs?: number
  /** Routes in addition to those of svc. */
  moreRoutes?: (deps: AllDeps) => readonly Route[]
  /** The endpoints of `moreRoutes`. */
  moreEndpoints?: Endpoints
}>

type Opened = Readonly<{ deps: AllDeps; batches: CheckedDatabase; condition: DatabaseCondition }>

const openDeps = async (path: string, options: TestAppOptions): Promise<Opened> => {
  const { wrapDatabase = (db) => db, queueMax = 100_000, maxStoredBytes = 0, billing } = options
  await writeBootstrapped(path, ADMIN)
  const opened = await openDatabase({ url: `file:${path}` })
  const isChecked = options.checksBatches ?? true
  const batches = isChecked ? checkBatches(opened, path) : { db: opened, finish: () => undefined }
  const { db, condition } = watchDatabase(wrapDatabase(batches.db))
  await condition.readDurability()
  const limits = { queueMax, maxStoredBytes }
  const deps = createTestDeps(db, limits, billing)
  const { fetchPackages = deps.fetchPackages } = options
  return { deps: { ...deps, fetchPackages }, batches, condition }
}

const listRoutes = (
  { deps, condition }: Opened,
  options: TestAppOptions,
  parts: Pick<RouteDeps, 'pdf' | 'deliveries' | 'log'>,
): readonly Route[] => {
  const health = {
    condition,
    version: '0.0.0-test',
    role: 'server' as const,
    isolation: 'none',
    isStopping: () => false,
    metrics: { contentType: 'text/plain; version=0.0.4', render: async () => 'svc_up 1\n' },
    metricsToken: options.metricsToken,
  }
  const git = createGit({
    localRoots: options.gitLocalRoots ?? [],
    environment: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    resolve: resolveHost,
    confine: createConfineGit(TEST_CONFINE, {}),
    ...options.git,
  })
  const liveWorkers = createLiveWorkers(deps, () => [TEST_WORKER])
  const fetchDocument = createFetchDocument({ allow: options.fetchAllow ?? [] })
  const ownHosts =
    options.ownHosts ?? createOwnHosts({ urls: [options.baseUrl], appsDomain: 'localhost' })
  const lookUpTxt = createLookUpTxt({ servers: options.dnsServers ?? ['127.0.0.1:9'] })
  const signIn = options.signIn ?? { oidc: null, passwordLogin: true }
  const client = {
    version: health.version,
    jobRetentionDays: 30,
    maxBodyBytes: 1_048_576,
    oidc: signIn.oidc !== null,
    passwordLogin: signIn.passwordLogin,
  }
  return [
    ...allRoutes({
      ...deps,
      health,
      git,
      client,
      liveWorkers,
      ...parts,
      fetchDocument,
      ownHosts,
      lookUpTxt,
      signIn,
      ...(options.toolWaitMs === undefined ? {} : { toolWaitMs: options.toolWaitMs }),
    }),
    ...(options.moreRoutes?.(deps) ?? []),
  ]
}

const toInit = (method: string, request: TestRequest): RequestInit => {
  const { token, json, body } = request
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...request.headers,
  }
  const content = json === undefined ? body : JSON.stringify(json)
  if (content === undefined) return { method, headers }
  return content instanceof ReadableStream
    ? { method, headers, body: content, duplex: 'half' }
    : { method, headers, body: content }
}

const toAnswer = async (response: Response): Promise<TestAnswer> => {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, json }
}

/** Creates an app. Close it in `afterAll` or `afterEach`, which removes its folder. */
export const createTestApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const folder = makeMemoryFolder('svc-test-')
  const path = join(folder, 'svc.db')
  const opened = await openDeps(path, options)
  const { deps, batches } = opened
  const pdf = openTestReader()
  const errors: LoggedError[] = []
  const warnings: LoggedError[] = []
  const warn = (message: string, fields: LoggedError['fields'] = {}): void =>
    void warnings.push({ message, fields })
  const deliveries = createDeliveryLog(deps, { warn })
  const scan = createLeakScan()
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn,
    error: (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      errors.push({ message, fields })
      scan.logged(`${message} ${inspect(fields, { depth: 6 })}`)
    },
  }
  const parts = { pdf: options.wrapPdf?.(pdf) ?? pdf, deliveries, log }
  const routes = listRoutes(opened, options, parts)
  const ended: string[] = []
  const closers: (() => Promise<void>)[] = []
  const check = createAnswerCheck({ ...allEndpoints, ...options.moreEndpoints })
  const { maxBodyBytes = 1_048_576 } = options
  const app = createHttpApp(
    {
      ...deps,
      log,
      maxBodyBytes,
      baseUrl: options.baseUrl ?? null,
      toClientAddress: createClientAddress(options.trustedProxies ?? []),
      rateLimit: createRateLimiter({ ...NO_RATES, ...options.rates }, () => performance.now()),
      functions: options.functions?.(deps) ?? null,
      files: options.files ?? [],
      gitPush: options.gitPush?.(deps) ?? null,
      onEnded: (route, status) => void ended.push(`${status} ${route}`),
    },
    routes,
  )
  const answer = async (method: string, path: string, init: TestRequest = {}): Promise<Response> =>
    app.request(path, toInit(method, init))
  /** Streams are never complete, so the scan checks at the end what arrived of them. */
  const streamed: (() => void)[] = []
  const request: TestApp['request'] = async (method, path, init) => {
    const { body, status, headers } = await answer(method, path, init)
    if (body === null) return new Response(null, { status, headers })
    const decoder = new TextDecoder()
    let text = ''
    streamed.push(() => {
      scan.answer({ method, path, status, text })
      check({ method, path, status, headers, text })
    })
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        text += decoder.decode(chunk, { stream: true })
        controller.enqueue(chunk)
      },
    })
    return new Response(body.pipeThrough(watch), { status, headers })
  }
  const issue = (
    scopes: readonly GrantedScope[],
    wanted: TokenOptions = {},
  ): Promise<IssuedToken> =>
    issueToken(deps, {
      ws: wanted.ws ?? WS,
      email: wanted.email ?? ADMIN,
      label: 'test',
      scopes,
      isAdmin: wanted.isAdmin ?? false,
      expiresInDays: wanted.expiresInDays ?? null,
      actor: CLI_ACTOR,
    })
  return {
    deps,
    folder,
    routes,
    errors,
    warnings,
    ended,
    request,
    call: async (method, path, init) => {
      const whole = await toAnswer(await answer(method, path, init))
      scan.answer({ method, path, status: whole.status, text: whole.text })
      check({ method, path, ...whole })
      return whole
    },
    issue,
    handle: (received, bindings) => app.fetch(received, bindings),
    token: async (...args) => (await issue(...args)).text,
    listen: () =>
      new Promise((resolve) => {
        const options = { fetch: app.fetch, hostname: '127.0.0.1', port: 0 }
        const server = serve(options, ({ port }) => resolve(`http://127.0.0.1:${port}`))
        closers.push(() => new Promise((closed) => server.close(() => closed())))
      }),
    close: async () => {
      pdf.close()
      await deliveries.close()
      for (const closeServer of closers) await closeServer()
      for (const judge of streamed) judge()
      await deps.db.close()
      const db = await openDatabase({ url: `file:${path}` })
      await scan.finish(db).finally(() => db.close())
      rmSync(folder, { recursive: true, force: true })
      batches.finish()
    },
  }
}
