/** A real node, dist/svc in its own folder, and an app with one action that does nothing. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { freePort } from './peer-services.ts'

export const BINARY = resolve(import.meta.dirname, '../../dist/svc')

export type SvcNode = Readonly<{
  url: string
  token: string
  pid: number
  dataDir: string
  /** Milliseconds from its start to its first 200 on /healthz. */
  readyMs: number
  /** Stops it and waits. The data stays until `remove`. */
  stop: () => Promise<void>
  /** Sends SIGKILL. */
  kill: () => Promise<void>
  remove: () => void
}>

/** The sandbox settings of this sample (sandbox-measures.ts). */
export const sandboxSettings = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['SVC_SANDBOX', 'SVC_SANDBOX_REUSE'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

const READY_WITHIN_MS = 30_000

export const startSvcNode = async (
  options: Readonly<{ dataDir?: string; databaseUrl?: string }> = {},
): Promise<SvcNode> => {
  if (!existsSync(BINARY)) throw new Error('dist/svc is not there. Run: make build')
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'bench-node-'))
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    SVC_DATA_DIR: dataDir,
    SVC_RATE_RUN_PER_S: '0',
    SVC_RATE_OTHER_PER_S: '0',
    SVC_RATE_FUNCTION_PER_S: '0',
    SVC_QUEUE_MAX: '10000000',
    SVC_LOG_LEVEL: 'warning',
    ...sandboxSettings(),
    ...(options.databaseUrl === undefined ? {} : { SVC_DATABASE_URL: options.databaseUrl }),
  }
  const before = performance.now()
  const child = spawn(BINARY, ['start', '--port', String(port)], { env, stdio: 'ignore' })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() - before > READY_WITHIN_MS) {
      throw new Error('The node did not start.')
    }
    await new Promise((wait) => setTimeout(wait, 2))
  }
  const readyMs = performance.now() - before
  const token = execFileSync(BINARY, ['create-token', 'default', 'admin@localhost'], {
    env,
    encoding: 'utf8',
  }).trim()
  return {
    url,
    token,
    pid: child.pid ?? 0,
    dataDir,
    readyMs,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/healthz`)).status === 200
  } catch {
    return false
  }
}

/** @param nonce changes the code, and with it the bundle and the commit */
export const deployNoop = (node: SvcNode, app: string, nonce = ''): Promise<void> =>
  deploy(node, { app, action: 'noop', code: `export const main = async () => '${nonce}'\n` })

/** Deploys an action that outlasts every sample. */
export const deploySlow = (node: SvcNode, app: string): Promise<void> =>
  deploy(node, {
    app,
    action: 'slow',
    code: 'export const main = () => new Promise((resolve) => setTimeout(resolve, 120_000))\n',
  })

const deploy = async (
  node: SvcNode,
  { app, action, code }: Readonly<{ app: string; action: string; code: string }>,
): Promise<void> => {
  const tar = pack()
  const manifest = `key: ${app}\nname: ${app}\nactions:\n  - key: ${action}\n    entrypoint: ${action}.ts\n`
  tar.entry({ name: 'app.yaml' }, manifest)
  tar.entry({ name: `${action}.ts` }, code)
  tar.finalize()
  const archive = await buffer(Readable.from(tar).pipe(createGzip()))
  const form = new FormData()
  form.set('bundle', new Blob([archive]), 'app.tar.gz')
  const answer = await fetch(`${node.url}/api/w/default/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${node.token}` },
    body: form,
  })
  if (answer.status !== 201)
    throw new Error(`Deploy answered ${answer.status}: ${await answer.text()}`)
}
