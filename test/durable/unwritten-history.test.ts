/** A script that goes on after svc could not record a step draws the same values in its next attempt [durable 1.6]. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { createJobRunner, type JobRunner } from '#service/queue/run-job.ts'
import { type Database, DatabaseError } from '#store/database.ts'
import { denoProvider, openPool } from '../sandbox/job.ts'
import { openQueue, type Queue } from '../support/open-queue.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'
import { deployCode, passTime, resultOf, runOne } from './run-durable.ts'

const ACTIONS = {
  draws: `export const main = async (ctx) => {
    const first = ctx.uuid()
    await ctx.sleep('early', { hours: 1 }).catch(() => undefined)
    const drawn = JSON.stringify([first, ctx.uuid()])
    const kept = await ctx.step('keep', () => drawn)
    await ctx.sleep('late', { hours: 1 })
    return { isSame: kept === drawn }
  }`,
  order: `export const main = async (ctx) => {
    const after = async (name, ms, value) => {
      const act = () => new Promise((go) => setTimeout(() => go(value), ms))
      await ctx.step(name, act).catch(() => undefined)
      return ctx.uuid()
    }
    const deep = JSON.parse('['.repeat(1_000) + ']'.repeat(1_000))
    const all = await Promise.all([after('slow', 300, 1), after('refused', 100, deep), after('fast', 0, 1)])
    const kept = await ctx.step('keep', () => all[2])
    await ctx.sleep('late', { hours: 1 })
    return { isSame: kept === all[2] }
  }`,
}

let queue: Queue
let sandbox: Sandbox
let runner: JobRunner
/** The step whose begin fails, once. */
let failing: string | null = null
/** Whether that write has happened although it failed. */
let isWritten = false
let close: () => Promise<void>

const faulty = (db: Database): Database => ({
  ...db,
  write: async (batch, options) => {
    const statements = Object.values(batch).flat()
    const isFailing =
      failing !== null && statements.some((each) => each?.args?.includes(failing) === true)
    if (!isFailing) return db.write(batch, options)
    failing = null
    if (isWritten) await db.write(batch, options)
    const outcome = isWritten ? 'unknown' : 'none'
    throw new DatabaseError('The database is away.', { kind: 'unavailable', outcome })
  },
})

beforeAll(async () => {
  const opened = await openTemporaryDatabase()
  queue = await openQueue(opened.db)
  sandbox = openPool(denoProvider())
  const deps = { ...queue.deps, db: faulty(opened.db), sandbox }
  runner = createJobRunner({ ...deps, baseUrl: 'http://svc.test' })
  close = opened.close
  await deployCode(queue, ACTIONS)
})
afterAll(async () => {
  await sandbox.close()
  await close()
})

/** Runs a job over its sleeps to its end. @returns its result */
const runToEnd = async (action: keyof typeof ACTIONS): Promise<unknown> => {
  const id = await queue.enqueue({ action, input: {} })
  let { ended } = await runOne(queue, runner)
  while (ended === 'suspended') {
    await passTime(queue, id)
    ;({ ended } = await runOne(queue, runner))
  }
  expect(ended).toBe('success')
  return resultOf(queue, id)
}

it.each([
  ['lost', false],
  ['not answered', true],
])(
  'values that came with a write that was %s are recorded with the next',
  async (_how, written) => {
    failing = 'early'
    isWritten = written
    expect(await runToEnd('draws')).toEqual({ isSame: true })
    expect(failing).toBeNull()
  },
)

it('the order that came with a refused result is recorded', async () => {
  expect(await runToEnd('order')).toEqual({ isSame: true })
})
