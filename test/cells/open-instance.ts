/**
 * An instance with a home cell and two further cells, with an app deployed in a workspace of each. Its nodes are real ones
 * in this process, because a process for each would compute for seconds before the first test.
 */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { z } from 'zod'
import { type Config, loadConfig } from '#config/config.ts'
import { type RunningNode, startNode } from '#node/node.ts'
import { beginSandbox } from '#node/open-sandbox.ts'
import { findEsbuild } from '#platform/esbuild.ts'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { deployTo } from '../e2e/durable-node.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { type Namespaces, openNamespaces } from '../support/namespaces.ts'
import { MATERIAL } from '../support/relay-caller.ts'
import { CHILD_ENV, PROGRAM } from '../support/svc-process.ts'

export type CellBackend = 'files' | 'namespaces'

/** The workspaces by cell. Each has the app of test/e2e/durable-node.ts. */
export const WORKSPACES = { home: 'default', eu: 'acme', us: 'bolt' } as const
export const ADMIN_PASSWORD = 'a long password of tests'
export type CellName = keyof typeof WORKSPACES
export const CELLS: readonly CellName[] = ['home', 'eu', 'us']

/** The URL of a server. */
export type Server = Readonly<{ url: string; stop: () => Promise<void> }>

const NODE_DEADLINE_MS = 3_600_000

export type Answer = Readonly<{ status: number; json: unknown; headers: Headers }>

export type Instance = Readonly<{
  /** Working directory of commands. */
  path: string
  config: Config
  env: Readonly<Record<string, string>>
  /** Null if the cells are files. */
  namespaces: Namespaces | null
  /** The first node. */
  server: Server
  /** API tokens of the workspaces, by cell. */
  tokens: Readonly<Record<CellName, string>>
  /** Starts a further node. @param changes differences from the environment of the others @param role server: without a sandbox */
  start: (
    changes?: Readonly<Record<string, string>>,
    role?: 'start' | 'server',
  ) => Promise<RunningNode>
  /** Runs a command of svc. @returns its output @throws {Error} it failed */
  svc: (...args: readonly string[]) => Promise<string>
  /** Sends a request for the workspace of a cell. */
  call: (
    node: Pick<Server, 'url'>,
    cell: CellName,
    method: string,
    path: string,
    json?: unknown,
  ) => Promise<Answer>
  request: (url: string, init?: RequestInit) => Promise<Answer>
  /** Reads the database of a cell directly. */
  read: <T>(cell: CellName, look: (db: Database) => Promise<T>) => Promise<T>
  /** Stops whatever still runs. */
  close: () => Promise<void>
}>

const run = promisify(execFile)

const request = async (url: string, init: RequestInit = {}): Promise<Answer> => {
  const answer = await fetch(url, { redirect: 'manual', ...init })
  const text = await answer.text()
  const json: unknown = /^[[{]/.test(text) ? JSON.parse(text) : text
  return { status: answer.status, json, headers: answer.headers }
}

const openUrls = async (
  backend: CellBackend,
  path: string,
): Promise<Readonly<{ namespaces: Namespaces | null; urlOf: (cell: CellName) => string }>> => {
  if (backend === 'files') {
    return { namespaces: null, urlOf: (cell) => `file:${join(path, `${cell}.db`)}` }
  }
  const namespaces = await openNamespaces(...CELLS)
  return { namespaces, urlOf: namespaces.urlOf }
}

type Access = Readonly<{ server: Server; cookie: string; path: string }>

const postJson = async (
  { server, cookie }: Pick<Access, 'server' | 'cookie'>,
  path: string,
  json: unknown,
): Promise<Answer> => {
  const answer = await request(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, cookie },
    body: JSON.stringify(json),
  })
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.json)}`)
  return answer
}

/** Signs in as the super admin, who is admin of every workspace. */
const signIn = async (server: Server): Promise<string> => {
  const login = { email: 'admin@localhost', password: ADMIN_PASSWORD }
  const { headers } = await postJson({ server, cookie: '' }, '/api/auth/login', login)
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

const resolved = z.object({ certId: z.string() })

/** Sends the tests' certificate as a desktop does to which a person has given the code from the phone. */
export const uploadTo = async ({ url }: Pick<Server, 'url'>, code: string): Promise<Answer> => {
  const send = (path: string, json: object): Promise<Answer> =>
    request(`${url}/v2/certificates/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
  const { json } = await send('resolve', { code })
  return send(`upload/${resolved.parse(json).certId}`, MATERIAL)
}

const tokenOf = z.object({ token: z.string() })

/** Creates a workspace with the app. @returns a token for it */
const openWorkspace = async (access: Access, cell: CellName): Promise<string> => {
  const ws = WORKSPACES[cell]
  if (cell !== 'home') {
    await vi.waitFor(() => postJson(access, '/api/admin/workspaces', { id: ws, name: ws, cell }), {
      timeout: 60_000,
      interval: 500,
    })
  }
  const wanted = { label: 'test', scopes: ['*'], admin: true }
  const { json } = await postJson(access, `/api/w/${ws}/tokens`, wanted)
  const { token } = tokenOf.parse(json)
  await deployTo({ url: access.server.url, ws, token, path: access.path })
  return token
}

/**
 * A node would set its confined bundler for esbuild in the environment, for
 * all files of this process. This sets the plain one.
 * @returns a function that restores the variable
 */
const usePlainBundler = (): (() => void) => {
  const { ESBUILD_BINARY_PATH: before } = process.env
  process.env.ESBUILD_BINARY_PATH = findEsbuild()
  return () => {
    if (before === undefined) Reflect.deleteProperty(process.env, 'ESBUILD_BINARY_PATH')
    else process.env.ESBUILD_BINARY_PATH = before
  }
}

/**
 * Opens an instance with one node that is server, worker and scheduler. A
 * process holds only one sandbox, so only one node runs jobs.
 */
export const openInstance = async (backend: CellBackend): Promise<Instance> => {
  const restoreBundler = usePlainBundler()
  const path = makeMemoryFolder('svc-cells-')
  const { namespaces, urlOf } = await openUrls(backend, path)
  const env = {
    SVC_PORT: '0',
    SVC_DATA_DIR: join(path, 'svc-data'),
    SVC_DATABASE_URL: urlOf('home'),
    SVC_CELLS: `eu=${urlOf('eu')};us=${urlOf('us')}`,
    SVC_ADMIN_PASSWORD: ADMIN_PASSWORD,
    SVC_CONCURRENCY: '2',
    SVC_JOB_LEASE_S: '30',
    SVC_RATE_ANONYMOUS_PER_S: '0',
    SVC_RATE_OTHER_PER_S: '0',
    SVC_RATE_RUN_PER_S: '0',
  }
  const { config } = loadConfig({ env, flags: {} })
  const running = new Set<RunningNode>()
  const start: Instance['start'] = async (changes = {}, role = 'start') => {
    const own = loadConfig({ env: { ...env, ...changes }, flags: {} }).config
    const node = await startNode(own, {
      role,
      sandbox: await beginSandbox(own, role),
      signal: AbortSignal.timeout(NODE_DEADLINE_MS),
      onFailed: (error) => {
        throw error
      },
    })
    running.add(node)
    return node
  }
  const first = await start()
  const server = { url: first.url ?? '', stop: first.stop }
  const access = { server, cookie: await signIn(server), path }
  const tokens = {
    home: await openWorkspace(access, 'home'),
    eu: await openWorkspace(access, 'eu'),
    us: await openWorkspace(access, 'us'),
  }
  const [command = '', ...before] = PROGRAM
  return {
    path,
    env,
    config,
    namespaces,
    server,
    tokens,
    start,
    svc: async (...args) => {
      const { stdout } = await run(command, [...before, ...args], {
        cwd: path,
        env: { ...CHILD_ENV, ...env },
      })
      return stdout.trim()
    },
    request,
    call: ({ url }, cell, method, at, json) =>
      request(`${url}/api/w/${WORKSPACES[cell]}${at}`, {
        method,
        headers: {
          authorization: `Bearer ${tokens[cell]}`,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
    read: async (cell, look) => {
      const db = await openDatabase({ url: urlOf(cell) })
      return look(db).finally(() => db.close())
    },
    close: async () => {
      for (const node of running) await node.stop()
      await namespaces?.close()
      restoreBundler()
      rmSync(path, { recursive: true, force: true })
    },
  }
}
