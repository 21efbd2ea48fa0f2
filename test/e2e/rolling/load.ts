/** Callers that never pause, behind a load balancer that uses another server if a connection is refused. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Node } from '../durable-node.ts'

export type Balancer = Readonly<{
  /** Servers that are ready. A server is removed when it has ended. */
  servers: Set<Node>
  token: string
}>

export type Load = Readonly<{
  /** Ends the load once each request in progress is answered. */
  stop: () => Promise<LoadReport>
}>

export type LoadReport = Readonly<{
  accepted: readonly string[]
  /** Number of requests that the balancer gave to another server, because nothing listened at the first. */
  moved: number
  /** Requests without the response 201, each with what came instead. */
  failed: readonly string[]
  slowestMs: number
}>

const CALLERS = 4
/** Milliseconds between two requests of a caller, which leave a busy machine some room. */
const PAUSE_MS = 25
const accepted = z.object({ job_id: z.string() })

const isRefused = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED'

/** Starts the callers. */
export const startLoad = ({ servers, token }: Balancer): Load => {
  const jobs: string[] = []
  const failed: string[] = []
  let moved = 0
  let slowestMs = 0
  let turn = 0
  let isStopped = false

  const send = async ({ url }: Node): Promise<void> => {
    const answer = await fetch(`${url}/api/w/default/jobs/run/crash/quick`, {
      method: 'POST',
      // one connection per request, because a kept connection may close while a request is sent
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify({ id: jobs.length }),
    })
    const text = await answer.text()
    if (answer.status === 201) jobs.push(accepted.parse(JSON.parse(text)).job_id)
    else failed.push(`${answer.status} ${text}`)
  }
  const balance = async (): Promise<void> => {
    const startedAt = performance.now()
    turn += 1
    const all = [...servers]
    const order = [...all.slice(turn % all.length), ...all.slice(0, turn % all.length)]
    for (const server of order) {
      try {
        await send(server)
        slowestMs = Math.max(slowestMs, performance.now() - startedAt)
        return
      } catch (error) {
        if (!isRefused(error)) {
          const cause = error instanceof Error ? error.cause : undefined
          failed.push(`${String(error)} ${String(cause)}`)
          return
        }
        moved += 1
      }
    }
    failed.push('every server refused the connection')
  }
  const call = async (): Promise<void> => {
    while (!isStopped) {
      await balance()
      await sleep(PAUSE_MS)
    }
  }
  const callers = Array.from({ length: CALLERS }, call)
  return {
    stop: async () => {
      isStopped = true
      await Promise.all(callers)
      return { accepted: jobs, moved, failed, slowestMs: Math.round(slowestMs) }
    },
  }
}
