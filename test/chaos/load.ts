/** Callers of a chaos run: what they were promised, and whether what had ended ever changed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Node } from '../e2e/durable-node.ts'
import type { Crew } from './crew.ts'
import type { Chance } from './random.ts'

export const ACTIONS = ['quick', 'slow', 'flaky', 'keyed'] as const

export const MANIFEST = `key: chaos
name: Chaos
actions:
  - key: quick
    entrypoint: quick.ts
  - key: slow
    entrypoint: slow.ts
  - key: flaky
    entrypoint: flaky.ts
    retry: { maxAttempts: 4, delayMs: 50, backoffFactor: 2 }
  - key: keyed
    entrypoint: slow.ts
    concurrency: { limit: 2, key: "\${input.key}" }
`
const SLOW = `export const main = async (ctx) => {
  await new Promise((resolve) => setTimeout(resolve, ctx.input.ms))
  return { id: ctx.input.id, attempt: ctx.job.attempt }
}
`
export const FILES: Readonly<Record<string, string>> = {
  'app.yaml': MANIFEST,
  'quick.ts': 'export const main = (ctx) => ({ id: ctx.input.id, attempt: ctx.job.attempt })\n',
  'slow.ts': SLOW,
  'flaky.ts': `export const main = (ctx) => {
  if (ctx.input.fails) throw new Error('always')
  return { id: ctx.input.id, attempt: ctx.job.attempt }
}
`,
}

/** What a caller heard of a job that had ended. */
export type Heard = Readonly<{ status: string; result: string }>

export type Ledger = Readonly<{
  /** Ids of acknowledged jobs, by the number that they carry. */
  acknowledged: ReadonlyMap<number, string>
  /** Numbers that were sent under an idempotency key until an answer came. */
  keyed: ReadonlySet<number>
  heard: ReadonlyMap<string, Heard>
  /** Answers by status; 0: none came. */
  answers: ReadonlyMap<number, number>
  faults: readonly string[]
}>

export type LoadOptions = Readonly<{
  crew: Crew
  token: string
  chance: Chance
  callers: number
  /** Each caller rests so long between two calls. */
  restMs: number
  isOver: () => boolean
}>

const accepted = z.object({ job_id: z.string() })
const ended = z.object({
  status: z.enum(['success', 'failure', 'canceled']),
  result: z.unknown(),
})
/** What a caller may hear while nodes and the database come and go. */
const EXPECTED = [0, 200, 201, 202, 429, 503]
const TIMEOUT_MS = 6_000

export const runLoad = async (options: LoadOptions): Promise<Ledger> => {
  const { crew, token, chance, isOver } = options
  const acknowledged = new Map<number, string>()
  const keyed = new Set<number>()
  const heard = new Map<string, Heard>()
  const answers = new Map<number, number>()
  const faults: string[] = []
  let numbers = 0

  const call = async (
    node: Node,
    path: string,
    init: RequestInit = {},
  ): Promise<Readonly<{ status: number; json: unknown }>> => {
    try {
      const answer = await fetch(`${node.url}/api/w/default/jobs${path}`, {
        ...init,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: new Headers([
          ['authorization', `Bearer ${token}`],
          ['content-type', 'application/json'],
          ...new Headers(init.headers),
        ]),
      })
      const text = await answer.text()
      const { status } = answer
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (!EXPECTED.includes(status)) faults.push(`${status} ${path} ${text.slice(0, 300)}`)
      if (status === 503 && answer.headers.get('retry-after') === null) {
        faults.push(`503 without Retry-After: ${path}`)
      }
      return { status, json: JSON.parse(text) }
    } catch {
      answers.set(0, (answers.get(0) ?? 0) + 1)
      return { status: 0, json: null }
    }
  }

  const listen = (id: string, json: unknown): void => {
    const answer = ended.safeParse(json)
    if (!answer.success) return
    const now = { status: answer.data.status, result: JSON.stringify(answer.data.result) }
    const before = heard.get(id)
    heard.set(id, now)
    if (before !== undefined && (before.status !== now.status || before.result !== now.result)) {
      faults.push(`${id} was ${JSON.stringify(before)} and became ${JSON.stringify(now)}`)
    }
  }

  const server = async (): Promise<Node | null> => {
    const up = crew.servers()
    if (up.length > 0) return chance.pick(up)
    await sleep(100)
    return null
  }

  /** @returns whether the job was acknowledged */
  const send = async (number: number, path: string, init: RequestInit): Promise<boolean> => {
    const node = await server()
    if (node === null) return false
    const { status, json } = await call(node, path, { ...init, method: 'POST' })
    const answer = accepted.safeParse(json)
    if (status >= 300 || !answer.success) {
      await sleep(50)
      return false
    }
    acknowledged.set(number, answer.data.job_id)
    if (status === 200) listen(answer.data.job_id, json)
    return true
  }

  const runOne = async (): Promise<void> => {
    numbers += 1
    const number = numbers
    const action = chance.pick(ACTIONS)
    const hasKey = chance.below(3) === 0
    const waits = !hasKey && chance.below(4) === 0
    const body = JSON.stringify({
      id: number,
      ms: chance.between(1, 700),
      key: `k${chance.below(3)}`,
      fails: chance.below(4) === 0,
    })
    const path = `/run/chaos/${action}${waits ? '/wait?timeout_ms=3000' : ''}`
    if (!hasKey) {
      // a second try would be a second job
      await send(number, path, { body })
      return
    }
    keyed.add(number)
    const headers = { 'idempotency-key': `n${number}` }
    while (!(await send(number, path, { body, headers }))) await sleep(50)
  }

  const askAgain = async (): Promise<void> => {
    const id = [...acknowledged.values()].at(-chance.between(1, 200))
    const node = await server()
    if (id === undefined || node === null) return
    const { status, json } = await call(node, `/${id}/result`)
    if (status === 200) listen(id, json)
  }

  const beCaller = async (): Promise<void> => {
    while (!isOver()) {
      await (chance.below(5) === 0 ? askAgain() : runOne())
      await sleep(options.restMs)
    }
  }
  await Promise.all(Array.from({ length: options.callers }, beCaller))
  return { acknowledged, keyed, heard, answers, faults }
}
