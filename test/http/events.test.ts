/** GET logs: as text, its last bytes, and as a stream that follows the job. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogParts } from '#core/job/log-parts.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { insertLogChunk } from '#store/jobs/log.ts'
import { JOBS, type JobCaller, openJobCaller } from '../support/job-caller.ts'

let caller: JobCaller
let token = ''
beforeAll(async () => {
  caller = await openJobCaller()
  token = await caller.app.token(['jobs:read'])
})
afterAll(() => caller.close())

describe('GET logs', () => {
  const TEXT = 'line 1\n서울 😀\n'
  let id = ''
  beforeAll(async () => {
    const job = await caller.runAndClaim()
    id = job.id
    // a character may be split between two chunks of bytes
    const bytes = new TextEncoder().encode(TEXT)
    await caller.log(job, 0, bytes.subarray(0, 8))
    await caller.log(job, 1, bytes.subarray(8))
  })

  it('gives everything so far as UTF-8 text', async () => {
    const answer = await caller.get(id, '/logs')
    expect(answer).toMatchObject({ status: 200, text: TEXT })
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  it.each([
    [0, ''],
    [1, '\n'],
    [2, '\n'],
    [4, '\n'],
    [5, '😀\n'],
    [6, ' 😀\n'],
    [8, ' 😀\n'],
    [9, '울 😀\n'],
    [12, '서울 😀\n'],
    [18, 'ine 1\n서울 😀\n'],
    [19, TEXT],
    [20, TEXT],
    [1_048_576, TEXT],
  ])('gives of the last %i bytes whole characters only', async (tail, text) => {
    expect(await caller.get(id, `/logs?tail_bytes=${tail}`)).toMatchObject({ status: 200, text })
  })

  it.each(['-1', '1048577', 'abc', '1.5', '', '1e3', '0x1', '%201', '99999999999'])(
    'refuses tail_bytes=%s',
    async (value) => {
      expect((await caller.get(id, `/logs?tail_bytes=${value}`)).status).toBe(400)
    },
  )

  it('gives pieces with time and stream as JSON', async () => {
    const started = Date.now()
    const job = await caller.runAndClaim()
    const encoder = new TextEncoder()
    const parts = createLogParts()
    parts.add({ at: 1_795_000_000_000, stream: 'stderr', bytes: 4 })
    parts.add({ at: 1_795_000_000_250, stream: 'log', bytes: 6 })
    await caller.app.deps.db.write([
      insertLogChunk({ claim: job, seq: 0, bytes: encoder.encode('old\n') }),
      insertLogChunk({
        claim: job,
        seq: 1,
        bytes: encoder.encode('bad\n서울'),
        parts: parts.take(),
      }),
    ])
    const answer = await caller.get(job.id, '/logs?format=json')
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    const { items } = JSON.parse(answer.text)
    expect(items).toEqual([
      // a chunk of an earlier version has no times: it gets the start of its attempt
      { at: expect.any(String), stream: 'stdout', text: 'old\n' },
      { at: '2026-11-18T11:06:40.000Z', stream: 'stderr', text: 'bad\n' },
      { at: '2026-11-18T11:06:40.250Z', stream: 'log', text: '서울' },
    ])
    expect(Math.abs(Date.parse(items[0].at) - started)).toBeLessThan(60_000)
    const tail = await caller.get(job.id, '/logs?format=json&tail_bytes=8')
    expect(JSON.parse(tail.text).items.map(({ text }: { text: string }) => text)).toEqual([
      'd\n',
      '서울',
    ])
    expect((await caller.get(job.id, '/logs?format=text')).text).toBe('old\nbad\n서울')
    expect((await caller.get(job.id, '/logs?format=xml')).status).toBe(400)
  })

  it('is empty before there is output', async () => {
    expect(await caller.get(await caller.runFor(), '/logs')).toMatchObject({
      status: 200,
      text: '',
    })
  })

  it('keeps the output of earlier tries before that of later ones', async () => {
    const tag = 'tries'
    const again = await caller.runFor({}, `${JOBS}/run/hello/greet?tag=${tag}`)
    const first = await caller.claim(tag)
    await caller.log(first, 0, 'first\n')
    await caller.app.deps.db.write([
      { sql: 'UPDATE jobs SET lease_until = 1 WHERE id = ?', args: [again] },
    ])
    await rescueJobs(caller.app.deps)
    await caller.log(await caller.claim(tag), 0, 'second\n')
    await caller.log(first, 1, 'late\n')
    expect((await caller.get(again, '/logs')).text).toBe('first\nsecond\n')
  })
})

describe('GET logs as text/event-stream', () => {
  const follow = (id: string, query = '') =>
    caller.app.request('GET', `${JOBS}/${id}/logs${query}`, {
      token,
      headers: { accept: 'text/event-stream' },
    })

  it('follows a job to its end', async () => {
    const job = await caller.runAndClaim()
    const response = await follow(job.id)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const events: string[] = []
    await caller.log(job, 0, 'working\n')
    caller.app.deps.hints.jobLogged.emit(job.id)
    events.push((await reader?.read())?.value ?? '')
    await caller.log(job, 1, 'done\n')
    await caller.end(job, { kind: 'success', resultJson: '1' })
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      events.push(part.value)
    }
    expect(events).toEqual([
      'event: log\ndata: "working\\n"\n\n',
      'event: log\ndata: "done\\n"\n\n',
      'event: end\ndata: {"status":"success"}\n\n',
    ])
  })

  it.each([
    ['?tail_bytes=7', ['"울ab\\n"', '"new\\n"']],
    ['?tail_bytes=8', ['"울ab\\n"', '"new\\n"']],
    ['?tail_bytes=9', ['"서"', '"울ab\\n"', '"new\\n"']],
    ['?tail_bytes=0', ['"new\\n"']],
    ['?tail_bytes=100', ['"x\\n서"', '"울ab\\n"', '"new\\n"']],
  ])('begins with the last bytes of what there is with %s', async (query, expected) => {
    const job = await caller.runAndClaim()
    const bytes = new TextEncoder().encode('x\n서울ab\n')
    await caller.log(job, 0, bytes.subarray(0, 6))
    await caller.log(job, 1, bytes.subarray(6))
    const response = await follow(job.id, query)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const read = async () => (await reader?.read())?.value ?? ''
    const data: string[] = []
    while (data.length < expected.length - 1) data.push(await read())
    await caller.log(job, 2, 'new\n')
    await caller.end(job, { kind: 'success', resultJson: '1' })
    data.push(await read())
    expect(data).toEqual(expected.map((text) => `event: log\ndata: ${text}\n\n`))
    await reader?.cancel()
  })

  /** Ends a job whose log has a piece of stderr and one of its own. */
  const endWithPieces = async () => {
    const job = await caller.runAndClaim()
    const parts = createLogParts()
    parts.add({ at: 1_795_000_000_000, stream: 'stderr', bytes: 4 })
    parts.add({ at: 1_795_000_000_250, stream: 'log', bytes: 6 })
    const bytes = new TextEncoder().encode('bad\n서울')
    await caller.app.deps.db.write([
      insertLogChunk({ claim: job, seq: 0, bytes, parts: parts.take() }),
    ])
    await caller.end(job, { kind: 'success', resultJson: '1' })
    return job
  }

  it('gives the last pieces with tail_bytes and format=json', async () => {
    const job = await endWithPieces()
    expect(await (await follow(job.id, '?format=json&tail_bytes=5')).text()).toBe(
      'event: log\ndata: [{"at":"2026-11-18T11:06:40.250Z","stream":"log","text":"울"}]\n\nevent: end\ndata: {"status":"success"}\n\n',
    )
  })

  it('gives pieces with time and stream with format=json', async () => {
    const job = await endWithPieces()
    const [first] = (await (await follow(job.id, '?format=json')).text()).split('\n\n')
    expect(JSON.parse(first?.replace('event: log\ndata: ', '') ?? '')).toEqual([
      { at: '2026-11-18T11:06:40.000Z', stream: 'stderr', text: 'bad\n' },
      { at: '2026-11-18T11:06:40.250Z', stream: 'log', text: '서울' },
    ])
  })

  it('gives a character whole that falls between two chunks', async () => {
    const job = await caller.runAndClaim()
    const bytes = new TextEncoder().encode('서')
    await caller.log(job, 0, bytes.subarray(0, 1))
    await caller.log(job, 1, bytes.subarray(1))
    await caller.end(job, { kind: 'success', resultJson: '1' })
    expect(await (await follow(job.id)).text()).toContain('event: log\ndata: "서"\n\n')
  })

  it('of a job that has ended gives what there is, and its end', async () => {
    const id = await caller.runFor()
    await caller.cancel(id)
    expect(await (await follow(id)).text()).toBe('event: end\ndata: {"status":"canceled"}\n\n')
  })

  it('ends when the caller goes away', async () => {
    const response = await follow(await caller.runFor())
    await response.body?.cancel()
    expect(response.ok).toBe(true)
  })
})
