/** HTTP as a caller of a chaos run uses it: any server that is up, with responses counted. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Node } from '../../e2e/durable-node.ts'
import type { Nodes } from '../nodes.ts'
import type { Chance } from '../random.ts'

export type Heard = Readonly<{
  /** 0 if no response came. */
  status: number
  json: unknown
}>

export type Answers = Readonly<{
  /** Responses by status; 0 if none came. */
  byStatus: ReadonlyMap<number, number>
  /** Seconds since 1970 in which there was a response below 300. */
  goodSeconds: ReadonlySet<number>
  /** Responses that the contract does not allow. */
  faults: readonly string[]
}>

/** Joins the responses of all callers. */
export const joinAnswers = (all: readonly Answers[]): Answers => {
  const byStatus = new Map<number, number>()
  for (const [status, count] of all.flatMap((each) => [...each.byStatus])) {
    byStatus.set(status, (byStatus.get(status) ?? 0) + count)
  }
  return {
    byStatus,
    goodSeconds: new Set(all.flatMap(({ goodSeconds }) => [...goodSeconds])),
    faults: all.flatMap(({ faults }) => faults),
  }
}

export type Caller = Readonly<{
  /** The workspace that it calls. */
  ws: string
  answers: Answers
  /** Null if no server is up; some time has passed then. */
  pickServer: () => Promise<Node | null>
  call: (node: Node, path: string, init?: CallInit) => Promise<Heard>
  fault: (text: string) => void
}>

export type CallInit = Readonly<{
  method?: string
  token?: string
  body?: string
  headers?: Readonly<Record<string, string>>
  /** Further statuses that are fine here. */
  expected?: readonly number[]
}>

/** Statuses that are fine at any time, because nodes and the database come and go. */
const ALWAYS_EXPECTED = [0, 200, 201, 202, 429, 503]
const TIMEOUT_MS = 6_000
const NO_SERVER_MS = 100

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const createCaller = (
  nodes: Nodes,
  chance: Chance,
  { ws, token: ownToken }: Readonly<{ ws: string; token: string }>,
): Caller => {
  const byStatus = new Map<number, number>()
  const goodSeconds = new Set<number>()
  const faults: string[] = []
  const count = (status: number): void => {
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    if (status >= 200 && status < 300) goodSeconds.add(Math.floor(Date.now() / 1_000))
  }
  return {
    ws,
    answers: { byStatus, goodSeconds, faults },
    fault: (text) => faults.push(text),
    pickServer: async () => {
      const up = nodes.servers()
      if (up.length > 0) return chance.pick(up)
      await sleep(NO_SERVER_MS)
      return null
    },
    call: async (node, path, init = {}) => {
      const { method = 'GET', token = ownToken, body, headers = {}, expected = [] } = init
      try {
        const answer = await fetch(`${node.url}${path}`, {
          method,
          signal: AbortSignal.timeout(TIMEOUT_MS),
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            ...headers,
          },
          ...(body === undefined ? {} : { body }),
        })
        const text = await answer.text()
        const { status } = answer
        count(status)
        if (![...ALWAYS_EXPECTED, ...expected].includes(status)) {
          faults.push(`${status} ${method} ${path} ${text.slice(0, 300)}`)
        }
        if (status === 503 && answer.headers.get('retry-after') === null) {
          faults.push(`503 without Retry-After: ${method} ${path}`)
        }
        return { status, json: toJson(text) }
      } catch {
        count(0)
        return { status: 0, json: null }
      }
    },
  }
}
