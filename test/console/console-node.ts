/** A real node with the console, an app and people, for tests that use the console in a browser. */
import { cpSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { startSession } from '#service/people/start-session.ts'
import { openDatabase } from '#store/open-database.ts'
import { buildConsole } from '../../cmd/build/build-console.ts'
import { type Client, createClient } from '../../sdk/client.ts'
import type { AppTexts } from '../support/app-files.ts'
import { packApp } from '../support/bundle-archive.ts'
import { writeNodeDatabase } from '../support/database-template.ts'
import { makeFolderIn, type Place } from '../support/memory-folder.ts'
import { PROGRAM, type SvcProcess, startSvc } from '../support/svc-process.ts'
import { createTestDeps } from '../support/test-deps.ts'

export type Person = Readonly<{ email: string; password: string }>

export const ADMIN: Person = { email: 'admin@localhost', password: 'only for tests' }
export const MEMBER: Person = { email: 'mina@example.com', password: 'only for tests too' }

/** An app with every kind of action that pages show. */
export const SAMPLE_APP: AppTexts = {
  'app.yaml': `key: sample
name: Sample
actions:
  - key: greet
    entrypoint: greet.ts
    inputSchema:
      type: object
      required: [name]
      properties:
        name: { type: string, title: Name, description: Who is greeted }
        times: { type: integer, minimum: 1, default: 1 }
        language: { enum: [en, ko] }
  - key: fail
    entrypoint: fail.ts
  - key: slow
    entrypoint: slow.ts
  - key: flaky
    entrypoint: flaky.ts
    retry: { maxAttempts: 3, delayMs: 100 }
  - key: rests
    entrypoint: rests.ts
  - key: awaits
    entrypoint: awaits.ts
  - key: calls
    entrypoint: calls.ts
flows:
  - key: pair
    steps:
      - { key: first, action: greet, input: { name: Ada } }
      - { key: ask, kind: approval }
      - { key: second, action: greet, input: { name: Bob } }
`,
  'greet.ts': `export const main = (ctx) => {
  for (let n = 0; n < (ctx.input.times ?? 1); n += 1) ctx.log('\\u001b[32mHello\\u001b[0m, ' + ctx.input.name, n)
  return { greeting: 'Hello, ' + ctx.input.name + '!' }
}
`,
  'fail.ts': `export const main = () => { throw new RangeError('It went wrong on purpose.') }\n`,
  'flaky.ts': `export const main = (ctx) => {
  if (ctx.job.attempt < 3) throw new Error('The bank was closed at attempt ' + ctx.job.attempt + '.')
  return 'open'
}
`,
  'rests.ts': `export const main = async (ctx) => {
  await ctx.progress(0.4, 'before the pause')
  await ctx.step('prepare', () => 'prepared')
  await ctx.sleep('pause', { days: 1 })
}
`,
  'awaits.ts': `export const main = async (ctx) => {
  const paid = await ctx.waitForEvent('paid', { name: 'order.paid', match: ctx.input.order, timeoutS: 86400 })
  return { amount: paid.data.amount }
}
`,
  'calls.ts': `export const main = (ctx) => ctx.callFlow('both', 'pair')
`,
  'slow.ts': `export const main = async (ctx) => {
  for (let n = 0; n < ctx.input.seconds * 10; n += 1) {
    ctx.log('tick', n)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return 'done'
}
`,
}

export type ConsoleNode = Readonly<{
  url: string
  /** The URL of the database file, which tests may write to while the node is paused. */
  databaseUrl: string
  /** Calls as the administrator. */
  api: Client
  deploy: (files: AppTexts) => Promise<void>
  /**
   * Starts a session in the database. A sign-in computes a hash for 400 ms to do the same; tests of signing in do that.
   * @returns its text
   */
  startSession: (email: string) => Promise<string>
  /** Waits until the job ends. @returns its id */
  runToEnd: (action: string, input: unknown) => Promise<string>
  /** Starts the node again at the same address with the same data, also after a pause. */
  restart: () => Promise<void>
  pause: () => Promise<void>
  stop: () => Promise<void>
}>

/** A port that is free now, so that the node can use it again after a restart. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })

const signIn = async (url: string, { email, password }: Person): Promise<string> => {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`${email} could not sign in: ${await answer.text()}`)
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

const tokenAnswer = z.looseObject({ token: z.string() })

const issueToken = async (url: string): Promise<string> => {
  const answer = await fetch(`${url}/api/w/default/tokens`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: await signIn(url, ADMIN),
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ label: 'console tests', scopes: ['*'], admin: true }),
  })
  return tokenAnswer.parse(await answer.json()).token
}

const invite = async (api: Client, { email, password }: Person): Promise<void> => {
  const { url } = await api.post('/invites', { body: { email, role: 'member' } })
  const token = new URL(url).searchParams.get('token') ?? ''
  await api.fetch('/api/auth/accept-invite', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, name: 'Mina', password }),
  })
}

/** What pages show of it is `Chrome, Linux`. */
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/140.0'

const QUICK = {
  // a job that still runs at the end of a test file would delay that end
  SVC_SHUTDOWN_GRACE_S: '0',
  SVC_RATE_OTHER_PER_S: '0',
  SVC_RATE_RUN_PER_S: '0',
  SVC_RATE_ANONYMOUS_PER_S: '0',
}

type Launch = Readonly<{
  folder: string
  port: number
  settings?: Readonly<Record<string, string>>
  program: readonly string[]
}>

const launchNode = async ({ folder, port, settings, program }: Launch): Promise<SvcProcess> => {
  const node = startSvc(['start', '--data-dir', join(folder, 'data')], {
    cwd: folder,
    program,
    env: {
      ...QUICK,
      ...settings,
      SVC_PORT: String(port),
      SVC_ADMIN_EMAIL: ADMIN.email,
      SVC_ADMIN_PASSWORD: ADMIN.password,
    },
  })
  await node.untilSaid(/"url":"http:/)
  return node
}

type Template = Readonly<{ folder: string; token: string }>

/** Creates the data of a node with two people and a token by svc itself. Once, because each of their three hashes takes 200 ms. */
const makeTemplate = async (program: readonly string[]): Promise<Template> => {
  // a process that is killed leaves it, so it must not stay in memory
  const folder = makeFolderIn('disk', 'svc-console-')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await writeNodeDatabase(join(folder, 'data'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const node = await launchNode({ folder, port, program })
  const token = await issueToken(url)
  await invite(createClient({ url, workspace: 'default', token }), MEMBER)
  await node.stop()
  return { folder, token }
}

/** The templates of this process, by program. */
const templates = new Map<string, Promise<Template>>()

const templateOf = (program: readonly string[]): Promise<Template> => {
  const key = program.join(' ')
  const template = templates.get(key) ?? makeTemplate(program)
  templates.set(key, template)
  return template
}

/**
 * Starts a node. Builds the console first if its source has changed.
 * @param settings of the node, in addition to the defaults
 * @param program @default PROGRAM
 * @param place of its data @default memory
 */
export const startConsoleNode = async (
  settings: Readonly<Record<string, string>> = {},
  program: readonly string[] = PROGRAM,
  place: Place = 'memory',
): Promise<ConsoleNode> => {
  await buildConsole()
  const template = await templateOf(program)
  const folder = makeFolderIn(place, 'svc-console-')
  cpSync(join(template.folder, 'data'), join(folder, 'data'), { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const launch = () => launchNode({ folder, port, settings, program })
  let node = await launch()
  const api = createClient({ url, workspace: 'default', token: template.token })
  const deploy = async (files: AppTexts): Promise<void> => {
    const form = new FormData()
    form.set('bundle', new Blob([new Uint8Array(await packApp(files))]), 'bundle.tar.gz')
    await api.post('/deployments', { body: form })
  }
  const pause = async (): Promise<void> => void (await node.stop())
  const databaseUrl = `file:${join(folder, 'data', 'svc.db')}`
  return {
    url,
    databaseUrl,
    api,
    deploy,
    startSession: async (email) => {
      const db = await openDatabase({ url: databaseUrl })
      try {
        const request = { email, address: '127.0.0.1', userAgent: USER_AGENT }
        return (await startSession(createTestDeps(db), request)).text
      } finally {
        await db.close()
      }
    },
    runToEnd: async (action, input) => {
      const params = { app: 'sample', action }
      const { job_id: id } = await api.post('/jobs/run/{app}/{action}', { params, body: input })
      for await (const { data } of await api.get('/jobs/{id}/events', { params: { id } })) void data
      return id
    },
    pause,
    restart: async () => {
      await pause()
      node = await launch()
    },
    stop: async () => {
      await pause()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
