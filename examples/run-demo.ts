/**
 * `make run`: starts a node from dist/svc, deploys examples/hello from a git repository that it makes, runs an action
 * with real input, prints what came back, and stays up until Ctrl-C.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import process from 'node:process'

const root = resolve(import.meta.dirname, '..')
const binary = join(root, 'dist', 'svc')
const dataDir = resolve(process.env.SVC_DATA_DIR ?? 'svc-data')
const port = Number(process.env.SVC_PORT ?? 3000)
const baseUrl = `http://127.0.0.1:${port}`
const api = `${baseUrl}/api/w/default`
const repository = join(dataDir, 'hello-repository')
const email = process.env.SVC_ADMIN_EMAIL ?? 'admin@localhost'

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const git = (...args: readonly string[]): string => {
  const identity = ['-c', 'user.name=svc demo', '-c', 'user.email=demo@localhost']
  return execFileSync('git', [...identity, '-C', repository, ...args], { encoding: 'utf8' })
}

/** A repository as a team would have it: the example app, committed. What a person committed there stays in history. */
const fillRepository = (): void => {
  if (!existsSync(join(repository, '.git'))) {
    mkdirSync(repository, { recursive: true })
    git('init', '--quiet', '--initial-branch=main')
  }
  cpSync(join(root, 'examples', 'hello'), repository, { recursive: true })
  git('add', '--all')
  if (git('status', '--porcelain') !== '') git('commit', '--quiet', '--message', 'The hello app')
}

const isHealthy = async (): Promise<boolean> => {
  try {
    return (await fetch(`${baseUrl}/healthz`)).ok
  } catch {
    return false
  }
}

const waitUntilHealthy = async (): Promise<void> => {
  const deadline = Date.now() + 60_000
  while (!(await isHealthy())) {
    if (Date.now() > deadline) throw new Error(`svc did not answer at ${baseUrl} within a minute.`)
    await new Promise((wait) => setTimeout(wait, 50))
  }
}

/**
 * In a process group of its own: Ctrl-C would else reach it twice, from the terminal and from here, and a second signal
 * means "at once".
 */
const startNode = (): ChildProcess => {
  const node = spawn(binary, ['start', '--data-dir', dataDir, '--port', String(port)], {
    stdio: 'inherit',
    detached: true,
    env: { ...process.env, SVC_GIT_LOCAL_ROOTS: repository },
  })
  node.once('exit', (code) => process.exit(code ?? 1))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => node.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  }
  return node
}

const createToken = (): string => {
  const flags = ['--admin', '--label', 'make run', '--data-dir', dataDir]
  return execFileSync(binary, ['create-token', 'default', email, ...flags], {
    encoding: 'utf8',
  }).trim()
}

/** What this script reads of the API's answers. */
type Answer = {
  id?: string
  items?: readonly { id: string; name: string; url: string }[]
  deployments?: readonly { app: string; commit: string; actions: readonly string[] }[]
  result?: unknown
  flow_run_id?: string
}

const call = async <Shape = Answer>(
  token: string,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Shape> => {
  const response = await fetch(`${api}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** The source of an earlier run, or a new one. */
const gitSourceId = async (token: string): Promise<string> => {
  const { items } = await call(token, '/git-sources')
  const known = items?.find(({ name }) => name === 'hello')
  if (known?.url === repository) return known.id
  // the folder was moved since
  if (known !== undefined)
    await call(token, `/git-sources/${known.id}`, { url: repository }, 'PATCH')
  const made =
    known ?? (await call<Answer>(token, '/git-sources', { name: 'hello', url: repository }))
  return String(made.id)
}

const deployFromGit = async (token: string): Promise<void> => {
  const { deployments = [] } = await call(
    token,
    `/git-sources/${await gitSourceId(token)}/sync`,
    {},
  )
  for (const { app, commit, actions } of deployments) {
    say(`Deployed ${app} at commit ${commit.slice(0, 12)} with the actions ${actions.join(', ')}`)
  }
}

const runAction = async (token: string, action: string, input: unknown): Promise<void> => {
  const { result } = await call(token, `/jobs/run/hello/${action}/wait`, input)
  say(`Ran hello/${action} ${JSON.stringify(input)}\n   -> ${JSON.stringify(result)}`)
}

type Run = { status: string; result: unknown; error: unknown }

/** A flow is never waited for: its run is looked at until it is over. */
const runFlow = async (token: string, flow: string, input: unknown): Promise<void> => {
  const { flow_run_id: id } = await call(token, `/flows/run/hello/${flow}`, input)
  for (;;) {
    const { status, result, error } = await call<Run>(token, `/flow-runs/${id}`)
    if (status !== 'running') {
      say(`Ran the flow hello/${flow}: ${status}\n   -> ${JSON.stringify(result ?? error)}`)
      return
    }
    await new Promise((wait) => setTimeout(wait, 50))
  }
}

const invitation = (token: string): string => `
Your turn:

  export PATH=$PWD/dist:$PATH SVC_URL=${baseUrl} SVC_TOKEN=${token}
  svc run hello/greet --input '{"name":"Grace","language":"ko"}' --wait
  svc jobs

Open    ${baseUrl}/    the console; ${relative('.', join(dataDir, 'initial-admin.txt'))} holds the password
        ${baseUrl}/api/docs    every route, with this token
Stop    Ctrl-C; ${relative('.', dataDir)}/ keeps everything for the next \`make run\`
`

const showWhatItDoes = async (): Promise<void> => {
  await waitUntilHealthy()
  const token = createToken()
  say(`\nMade a git repository of examples/hello: ${relative('.', repository)}`)
  await deployFromGit(token)
  await runAction(token, 'greet', { name: 'Ada', language: 'en' })
  await runFlow(token, 'report', {})
  say(invitation(token))
}

const main = async (): Promise<void> => {
  if (!existsSync(binary)) throw new Error('dist/svc is missing. Run `make build` first.')
  if (await isHealthy()) {
    throw new Error(`Something answers at ${baseUrl} already. Stop it, or: SVC_PORT=3001 make run`)
  }
  fillRepository()
  const node = startNode()
  await showWhatItDoes().catch((error: unknown) => {
    node.removeAllListeners('exit')
    node.kill('SIGTERM')
    throw error
  })
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
