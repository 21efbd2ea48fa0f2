/**
 * A separate node for tests of examples: a process with a new database, one token, and the calls that a person makes by
 * curl. Tests of rules run in memory (try-app.ts). These tests try what needs a node: deployments, databases, crashes.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../../sdk/mod.ts'
import { writeNodeDatabase } from './database-template.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { CHILD_ENV, PROGRAM, type SvcProcess, startSvc } from './svc-process.ts'

/** Lets a company's own certificate authority sit in front of npm's registry. */
const { NODE_EXTRA_CA_CERTS } = process.env
const CERTIFICATES = NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }
const DEADLINE_MS = 90_000
const POLL_MS = 100

export type Job = Readonly<{ status: string; result: Json }>

export type ExampleNode = Readonly<{
  /** Ends the process immediately, like a power cut. */
  kill: () => Promise<void>
  /** Starts a node on the same database. */
  restart: () => Promise<void>
  /** @param path below /api/w/default @throws {Error} the status is not 2xx */
  call: (method: string, path: string, body?: object) => Promise<Json>
  /** Deploys a folder. @returns the response */
  deploy: (folder: string) => Promise<Json>
  /** Queues a job. @returns its id */
  run: (action: string, input: object) => Promise<string>
  untilEnded: (job: string) => Promise<Job>
  remove: () => Promise<void>
}>

const isObject = (value: Json): value is Readonly<Record<string, Json>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const fieldOf = (value: Json, key: string): Json => {
  const field = isObject(value) ? value[key] : undefined
  if (field === undefined) throw new Error(`There is no ${key} in ${JSON.stringify(value)}`)
  return field
}

/** @param env settings of the node. Leases are short, so that the node notices a crash within seconds. */
export const startNode = async (
  env: Readonly<Record<string, string>> = {},
): Promise<ExampleNode> => {
  const folder = makeMemoryFolder('svc-example-')
  let node: SvcProcess
  let url = ''
  const start = async (): Promise<void> => {
    node = startSvc(['start'], {
      cwd: folder,
      env: { SVC_JOB_LEASE_S: '2', ...CERTIFICATES, ...env },
    })
    const [line] = await node.untilSaid(/.*The node is ready\..*/)
    url = /"url":"(http:[^"]+)"/.exec(line)?.[1] ?? ''
  }
  await writeNodeDatabase(join(folder, 'svc-data'))
  await start()
  const [command = '', ...before] = PROGRAM
  const token = execFileSync(command, [...before, 'create-token', 'default', 'admin@localhost'], {
    cwd: folder,
    env: { ...CHILD_ENV },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
  const send = async (path: string, init: RequestInit): Promise<Json> => {
    const headers = { authorization: `Bearer ${token}`, ...init.headers }
    const answer = await fetch(`${url}/api/w/default${path}`, { ...init, headers })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  const call: ExampleNode['call'] = (method, path, body) =>
    send(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  return {
    call,
    kill: async () => {
      node.child.kill('SIGKILL')
      await node.ended
    },
    restart: start,
    deploy: (app) => {
      const form = new FormData()
      const archive = execFileSync('tar', ['-cz', '-C', app, '.'])
      form.set('bundle', new Blob([archive]), 'app.tar.gz')
      return send('/deployments', { method: 'POST', body: form })
    },
    run: async (action, input) =>
      String(fieldOf(await call('POST', `/jobs/run/${action}`, input), 'job_id')),
    untilEnded: async (job) => {
      const deadline = Date.now() + DEADLINE_MS
      for (;;) {
        const status = String(fieldOf(await call('GET', `/jobs/${job}`), 'status'))
        if (['success', 'failure', 'canceled'].includes(status)) {
          return { status, result: fieldOf(await call('GET', `/jobs/${job}/result`), 'result') }
        }
        if (Date.now() > deadline) throw new Error(`The job is still ${status}.`)
        await sleep(POLL_MS)
      }
    },
    remove: async () => {
      node.child.kill('SIGKILL')
      await node.ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
