/** A job's output, from the script through the sandbox into the database: each piece has its time and stream [jobs 6.2]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createJobLog } from '#service/queue/job-log.ts'
import type { JobRunner } from '#service/queue/run-job.ts'
import { type LogItem, readLog, readLogItems } from '#service/read-log.ts'
import { deployCode } from '../durable/run-durable.ts'
import { RUNTIMES } from '../sandbox/job.ts'
import { completeJob } from '../support/complete-job.ts'
import { type Queue, WS } from '../support/open-queue.ts'
import { openRunner } from '../support/open-runner.ts'

const CODE = `export const main = async (ctx) => {
  console.log('out', { n: 1 })
  ctx.log('서울', 2)
  console.error('bad')
  await new Promise((resolve) => setTimeout(resolve, 300))
  console.warn('careful')
  console.assert(true, 'silent')
  console.assert(1 > 2, '%d is odd', 2)
  console.assert(false, { n: 1 })
  console.assert()
  process.stdout.write('left ')
  process.stderr.write('raw ')
  process.stderr.write(new TextEncoder().encode('서').subarray(0, 1))
  process.stderr.write(new TextEncoder().encode('서').subarray(1))
  await new Promise((resolve) => process.stderr.write('\\n', 'utf8', resolve))
  process.stdout.write('right\\n')
  throw new RangeError('the end')
}`

describe.each(RUNTIMES)('under %s', (_, provider) => {
  let queue: Queue
  let runner: JobRunner
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ queue, runner, close } = await openRunner(provider()))
    await deployCode(queue, { writes: CODE })
  })
  afterAll(() => close())

  it('keeps the streams and times, and the same text as before', async () => {
    const { deps } = queue
    const id = await queue.enqueue({ action: 'writes' })
    const [job] = await queue.claim(1)
    if (job === undefined) throw new Error('There was nothing to claim.')
    const log = createJobLog({
      claim: job,
      now: () => Date.now(),
      write: (statements) => deps.db.write(statements, { retry: true }),
      onWritten: () => undefined,
    })
    const { signal } = new AbortController()
    const action = await runner.findAction(job)
    const before = Date.now()
    const outcome = await runner.run({ job, action, onLog: log.append, signal })
    if (outcome.kind !== 'failure') throw new Error(JSON.stringify(outcome))
    const logs = await log.finish()
    await completeJob(deps, { job, outcome: { ...outcome, isFinal: true }, retry: null, logs })

    const read = async (tailBytes: number | null): Promise<readonly LogItem[]> => {
      const all: LogItem[] = []
      for await (const some of readLogItems(deps.db, { ws: WS, id }, tailBytes)) all.push(...some)
      return all
    }
    const items = await read(null)
    const of = (stream: string) =>
      items.flatMap((item) => (item.stream === stream ? [item.text] : [])).join('')
    expect(of('stdout')).toBe('out { n: 1 }\nleft right\n')
    expect(of('log')).toBe('서울 2\n')
    expect(of('stderr')).toMatch(
      /^bad\ncareful\nAssertion failed: 2 is odd\nAssertion failed: { n: 1 }\nAssertion failed\nraw 서\nRangeError: the end\n/,
    )
    expect(items.map(({ text }) => text).join('')).toBe(
      new TextDecoder().decode(await readLog(deps.db, id, null)),
    )
    const at = (text: string): number => items.find((item) => item.text.includes(text))?.at ?? 0
    expect(at('out')).toBeGreaterThanOrEqual(before)
    expect(at('careful') - at('bad')).toBeGreaterThan(30)
    const tail = await read(10)
    expect(tail.map(({ text }) => text).join('')).toBe(
      new TextDecoder().decode(await readLog(deps.db, id, 10)),
    )
  })
})
