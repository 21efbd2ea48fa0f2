/**
 * `make run`: starts a node from dist/svc, deploys examples/hello from a git repository that it makes, runs an action
 * with real input, prints what came back, and stays up until Ctrl-C. Everything it does, a user can do by curl.
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'

const root = resolve(import.meta.dirname, '..')
const binary = join(root, 'dist', 'svc')
const dataDir = resolve(process.env.SVC_DATA_DIR ?? 'svc-data')
const port = Number(process.env.SVC_PORT ?? 3000)
const baseUrl = `http://127.0.0.1:${port}`
const api = `${baseUrl}/api/w/default`
const repository = join(dataDir, 'hello-repository')

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const git = (...args: readonly string[]): void => {
  const identity = ['-c', 'user.name=svc demo', '-c', 'user.email=demo@localhost']
  execFileSync('git', [...identity, '-C', repository, ...args], { stdio: 'ignore' })
}

/** A repository as a team would have it: the example app, committed. */
const makeRepository = (): void => {
  rmSync(repository, { recursive: true, force: true })
  mkdirSync(repository, { recursive: true })
  cpSync(join(root, 'examples', 'hello'), repository, { recursive: true })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Hello')
}

const isHealthy = async (): Promise<boolean> => {
  try {
    return (await fetch(`${baseUrl}/healthz`)).ok
  } catch {
    return false
  }
}

const waitUntilHealthy = async (): Promise<void> => {
  const deadline = Date.now() + 30_000
  while (!(await isHealthy())) {
    if (Date.now() > deadline)
      throw new Error(`svc did not answer at ${baseUrl} within 30 seconds.`)
    await new Promise((wait) => setTimeout(wait, 50))
  }
}

const createToken = (): string =>
  execFileSync(
    binary,
    [
      'create-token',
      'default',
      'admin@localhost',
      '--label',
      'make run',
      '--data-dir',
      dataDir,
      '--admin',
    ],
    { encoding: 'utf8' },
  ).trim()

/** What this script reads of the API's answers. */
type Answer = {
  id?: string
  items?: readonly { id: string; name: string }[]
  deployments?: unknown
  result?: unknown
}

const call = async (token: string, path: string, body?: unknown): Promise<Answer> => {
  const response = await fetch(`${api}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

const gitSourceId = async (token: string): Promise<string> => {
  const { items } = await call(token, '/git-sources')
  const known = items?.find(({ name }) => name === 'hello')
  const source = known ?? (await call(token, '/git-sources', { name: 'hello', url: repository }))
  return String(source.id)
}

const main = async (): Promise<void> => {
  if (!existsSync(binary)) throw new Error('dist/svc is missing. Run `make build` first.')
  if (await isHealthy()) {
    throw new Error(`Something answers at ${baseUrl} already. Stop it, or choose another SVC_PORT.`)
  }
  makeRepository()
  const node = spawn(binary, ['start', '--data-dir', dataDir, '--port', String(port)], {
    stdio: 'inherit',
    env: { ...process.env, SVC_GIT_LOCAL_ROOTS: repository },
  })
  node.once('exit', (code) => process.exit(code ?? 0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => node.kill(signal))
  await waitUntilHealthy()

  const token = createToken()
  const { deployments } = await call(token, `/git-sources/${await gitSourceId(token)}/sync`, {})
  say(`\nDeployed from git: ${JSON.stringify(deployments)}`)
  const input = { name: 'Ada', language: 'en' }
  const run = await call(token, '/jobs/run/hello/greet/wait', input)
  say(`hello/greet ${JSON.stringify(input)} -> ${JSON.stringify(run.result)}`)
  say(`
Try it yourself:

  export SVC_TOKEN=${token}
  curl -s ${api}/jobs/run/hello/greet/wait -H "authorization: Bearer $SVC_TOKEN" -H 'content-type: application/json' -d '{"name":"Grace"}'

The API's own page: ${baseUrl}/api/docs       Ctrl-C stops the node.`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
