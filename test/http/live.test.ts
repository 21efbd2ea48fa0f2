/** Streams of a job: its status changes and its output, as a browser or `svc logs -f` reads them. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createHints } from '#service/hints.ts'
import { cancelJob } from '#service/queue/cancel-job.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { insertLogChunk } from '#store/jobs/log.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { adminSession } from '../support/principals.ts'

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  // apps:write may choose any tag, so each test claims by its own tag
  token = await app.token(['jobs:run', 'jobs:read', 'apps:write'])
  await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }])
})
afterAll(() => app.close())

const JOBS = `/api/w/${WS}/jobs`
const accepted = z.object({ job_id: z.uuid() })

let tags = 0
const start = async () => {
  const tag = `live-${tags++}`
  const answer = await app.call('POST', `${JOBS}/run/hello/greet?tag=${tag}`, { token, json: {} })
  const id = accepted.parse(answer.json).job_id
  const claim = async (deps = app.deps): Promise<ClaimedJob> => {
    const [job] = await claimJobs(deps, { worker: 'w', tags: [tag], limit: 1, leaseMs: 60_000 })
    if (job === undefined) throw new Error('The job was not claimed.')
    return job
  }
  return { id, claim }
}
const succeed = (job: ClaimedJob, deps = app.deps) =>
  completeJob(deps, { job, outcome: { kind: 'success', resultJson: '1' }, retry: null, logs: [] })
const log = (job: ClaimedJob, seq: number, text: string | Uint8Array) =>
  app.deps.db.write([insertLogChunk({ claim: job, seq, bytes: Buffer.from(text) })])

type StreamedEvent = Readonly<{ event: string; data: unknown }>

/** Reads events one by one as they arrive. */
const open = async (path: string) => {
  const headers = { accept: 'text/event-stream' }
  const response = await app.request('GET', path, { token, headers })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = (response.body ?? new ReadableStream()).getReader()
  const decoder = new TextDecoder()
  let text = ''
  const next = async (): Promise<StreamedEvent | null> => {
    for (;;) {
      const [, event, data] = /^event: (.*)\ndata: (.*)\n\n/.exec(text) ?? []
      if (event !== undefined && data !== undefined) {
        text = text.slice(text.indexOf('\n\n') + 2)
        return { event, data: JSON.parse(data) }
      }
      const { value, done } = await reader.read()
      if (done) return null
      text += decoder.decode(value, { stream: true })
    }
  }
  return { next, cancel: () => reader.cancel() }
}

describe('GET jobs/{id}/events', () => {
  it('sends the current status, then each change, and ends with the job', async () => {
    const { id, claim } = await start()
    const stream = await open(`${JOBS}/${id}/events`)
    const status = (name: string, attempt: number) => ({
      event: 'status',
      data: { job_id: id, status: name, attempt },
    })
    expect(await stream.next()).toEqual(status('queued', 0))
    const job = await claim()
    expect(await stream.next()).toEqual(status('running', 1))
    await succeed(job)
    expect(await stream.next()).toEqual(status('success', 1))
    expect(await stream.next()).toBeNull()
  })

  it('finds what another process did, without its hints', async () => {
    const { id, claim } = await start()
    const stream = await open(`${JOBS}/${id}/events`)
    await stream.next()
    const elsewhere = { ...app.deps, hints: createHints() }
    await succeed(await claim(elsewhere), elsewhere)
    expect(await stream.next()).toMatchObject({ data: { status: 'running' } })
    expect(await stream.next()).toMatchObject({ data: { status: 'success' } })
  })

  it('sends a cancel, and of a job that had ended only that', async () => {
    const { id } = await start()
    const stream = await open(`${JOBS}/${id}/events`)
    await stream.next()
    await cancelJob(app.deps, { ws: WS, id, caller: adminSession('ada'), reason: null })
    expect(await stream.next()).toMatchObject({ data: { status: 'canceled', attempt: 0 } })
    const late = await open(`${JOBS}/${id}/events`)
    expect(await late.next()).toMatchObject({ data: { status: 'canceled' } })
    expect(await late.next()).toBeNull()
  })

  it('answers 404 to an unknown id, and lets go when the caller does', async () => {
    const unknown = `${JOBS}/019abcde-0000-7000-8000-000000000000/events`
    expect((await app.call('GET', unknown, { token })).status).toBe(404)
    const { id } = await start()
    const stream = await open(`${JOBS}/${id}/events`)
    await stream.next()
    await stream.cancel()
  })
})

describe('GET jobs/{id}/logs as a stream', () => {
  it('sends output as it grows, whole characters only, then the end', async () => {
    const { id, claim } = await start()
    const job = await claim()
    await log(job, 0, 'first\n')
    const stream = await open(`${JOBS}/${id}/logs`)
    expect(await stream.next()).toEqual({ event: 'log', data: 'first\n' })
    const euro = Buffer.from('€')
    await log(job, 1, euro.subarray(0, 1))
    await log(job, 2, Buffer.concat([euro.subarray(1), Buffer.from('!\n')]))
    app.deps.hints.jobLogged.emit(id)
    expect(await stream.next()).toEqual({ event: 'log', data: '€!\n' })
    await succeed(job)
    expect(await stream.next()).toEqual({ event: 'end', data: { status: 'success' } })
    expect(await stream.next()).toBeNull()
  })
})

it('answers HEAD with the head of a stream, and follows nothing for it', async () => {
  const { id } = await start()
  const { jobChanged } = app.deps.hints
  const subscribed = vi.spyOn(jobChanged, 'subscribe')
  const response = await app.request('HEAD', `${JOBS}/${id}/events`, { token })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.body).toBeNull()
  expect(subscribed).not.toHaveBeenCalled()
  subscribed.mockRestore()
})
