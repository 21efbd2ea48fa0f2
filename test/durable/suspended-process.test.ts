/** What happens to the process of a run that was suspended [durable 3.8], or that ended with a step open. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { createJobRunner, type JobRunner } from '#service/queue/run-job.ts'
import { bubblewrapProvider, denoProvider, nodeProvider, openPool } from '../sandbox/job.ts'
import { openQueue, type Queue } from '../support/open-queue.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'
import { deployCode, passTime, resultOf, runOne } from './run-durable.ts'

const MB = 1_048_576

const bundle = (main: string, top = ''): string => `
import { openSync } from 'node:fs'
const processMark = () => (globalThis.mark ??= Math.random())
${top}
export const main = async (ctx) => { ${main} }`

/** Returns marks that distinguish the process, before and after a sleep. */
const marks = (atWork: string): string => `
  const before = await ctx.step('before', processMark)
  ${atWork}
  await ctx.sleep('pause', { hours: 1 })
  return [before, processMark()]`

const ACTIONS = {
  plain: bundle(marks('')),
  // the pool overlooks two, and a third if the process had one more when it was ready
  opens: bundle(
    marks("for (let n = 0; n < 4 && before === processMark(); n += 1) openSync('left-open', 'a+')"),
  ),
  large: bundle(
    marks(''),
    `const text = '${'x'.repeat(3 * MB)}'; if (text === '') throw new Error()`,
  ),
  locks: bundle(
    `if (isLocked) return 'locked'
    isLocked = true
    await ctx.sleep('pause', { hours: 1 })
    isLocked = false
    return 'unlocked'`,
    'let isLocked = false',
  ),
  tries: bundle(
    `const retry = { maxAttempts: 9, delayMs: ctx.input.delayMs }
    globalThis.tries = 0
    const act = () => { globalThis.tries += 1; throw new Error('again') }
    ctx.step('open', act, { retry }).catch(() => null)
    while (globalThis.tries === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    throw new RangeError('over')`,
  ),
  looks: bundle(
    'await new Promise((resolve) => setTimeout(resolve, 300)); return [globalThis.tries]',
  ),
  fails: bundle("await ctx.sleep('pause', { hours: 1 }); throw new RangeError('later')"),
}

const PROVIDERS = { bubblewrap: bubblewrapProvider, deno: denoProvider, node: nodeProvider }

describe.each(Object.entries(PROVIDERS))('the process of a suspended run under %s', (_, open) => {
  let queue: Queue
  let closeDatabase: () => Promise<unknown>
  let sandbox: Sandbox
  let runner: JobRunner
  beforeAll(async () => {
    const { db, close } = await openTemporaryDatabase()
    closeDatabase = close
    queue = await openQueue(db)
    sandbox = openPool(open(), { maxIdle: 10 })
    runner = createJobRunner({ ...queue.deps, sandbox, baseUrl: 'http://svc.test' })
    await deployCode(queue, ACTIONS)
  })
  afterAll(async () => {
    await sandbox.close()
    await closeDatabase()
  })

  const runOverSleep = async (action: keyof typeof ACTIONS) => {
    const id = await queue.enqueue({ action })
    expect(await runOne(queue, runner)).toMatchObject({ ended: 'suspended' })
    await passTime(queue, id)
    const stretch = await runOne(queue, runner)
    return { ...stretch, id }
  }
  const marksOf = async (action: keyof typeof ACTIONS): Promise<readonly number[]> => {
    const { id } = await runOverSleep(action)
    return (await resultOf(queue, id)) as number[]
  }

  it('serves what comes next', async () => {
    const [before, after] = await marksOf('plain')
    expect(after).toBe(before)
    expect(await marksOf('plain')).toEqual([before, before])
  })

  it('ends when the run has left several files open', async () => {
    const [before, after] = await marksOf('opens')
    expect(after).not.toBe(before)
  })

  it('ends before its modules, loaded again and again, take the memory of its jobs', async () => {
    const [first, second] = await marksOf('large')
    expect(second).toBe(first)
    const [third, fourth] = await marksOf('large')
    expect(third).toBe(first)
    expect(fourth).not.toBe(first)
  })

  it('loads its modules again, because a lock that the run held stays locked', async () => {
    const { id } = await runOverSleep('locks')
    expect(await resultOf(queue, id)).toBe('unlocked')
  })

  it('tries no step again after its run has failed', async () => {
    await queue.enqueue({ action: 'tries', input: { delayMs: 100 } })
    await runOne(queue, runner)
    const id = await queue.enqueue({ action: 'looks' })
    await runOne(queue, runner)
    expect(await resultOf(queue, id)).toEqual([1])
  })

  it('names the code of a module that was loaded again', async () => {
    const { log } = await runOverSleep('fails')
    expect(log).toMatch(/RangeError: later\n {4}at main \(fails\.js:5:/)
    expect(log).not.toMatch(/blob:|file:/)
  })
})
