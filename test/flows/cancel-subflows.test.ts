/** Cancel of a run with thousands of subflow runs below it: a file database lets nothing else run during a statement. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cancelMarkedRuns, cancelRun } from '#service/flows/cancel-run.ts'
import type { Database } from '#store/database.ts'
import { findFlowRun } from '#store/flows/runs.ts'
import { number, text } from '#store/row.ts'
import { raw, sql } from '#store/sql.ts'
import { ADMIN, WS } from '../support/create-test-app.ts'
import { type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'
import { superAdminSession } from '../support/principals.ts'

const MOST_MS = 50
const OPERATOR = superAdminSession(ADMIN, WS)

let caller: FlowCaller
let db: Database
beforeAll(async () => {
  const loop = (key: string, what: object, items: readonly number[]) => ({
    key,
    steps: [{ key: 'each', kind: 'forloop_parallel', items, ...what }],
  })
  caller = await openFlowCaller({
    app: { checksBatches: false },
    actions: { one: () => 1 },
    flows: [
      loop('top', { subflow: 'middle' }, [1]),
      loop('middle', { subflow: 'leaf' }, [1]),
      loop('leaf', { action: 'one' }, [1]),
    ],
  })
  db = caller.app.deps.db
})
afterAll(() => caller.app.close())

const idBelow = async (parent: string): Promise<string> => {
  const [id] = await text.all(db, sql`SELECT id FROM flow_runs WHERE parent_run_id = ${parent}`)
  if (id === undefined) throw new Error(`The run ${parent} has no subflow.`)
  return id
}

/** Copies rows of a table `times` times with these columns changed; `at` counts from 1. */
const copyRows = async (
  table: string,
  where: string,
  { times, ...changed }: Readonly<Record<string, string | number>>,
): Promise<void> => {
  const names = await text.all(db, sql`SELECT name FROM pragma_table_info(${table})`)
  await db.write([
    raw(`WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${times})
      INSERT INTO ${table} (${names.join(', ')})
      SELECT ${names.map((name) => changed[name] ?? `r.${name}`).join(', ')} FROM n, ${table} r WHERE ${where}`),
  ])
}

type Tree = Readonly<{ top: string; middle: string; leaf: string }>

const startTree = async (): Promise<Tree> => {
  const top = await caller.start('top')
  const middle = await idBelow(top)
  return { top, middle, leaf: await idBelow(middle) }
}

/** @param open starts a run, for each try. @returns the longest turn of its cancel */
const cancelEach = (open: () => Promise<string>): Promise<number> => {
  let id = ''
  const cancel = async (): Promise<void> => {
    await cancelRun(caller.app.deps, { ws: WS, id, caller: OPERATOR, reason: null })
    expect((await findFlowRun(db, WS, id))?.status).toBe('canceled')
    await cancelMarkedRuns(caller.app.deps)
  }
  const prepare = async (): Promise<void> => {
    id = await open()
  }
  return leastLongestTurnMs(cancel, { enoughMs: MOST_MS, prepare })
}

const countOpen = (): Promise<readonly number[]> =>
  number.all(
    db,
    sql`SELECT count(*) FROM flow_runs WHERE completed_at IS NULL
      UNION ALL SELECT count(*) FROM jobs WHERE completed_at IS NULL`,
  )

it('thousands of open subflow runs and their jobs end without blocking others', async () => {
  const open = async (): Promise<string> => {
    const { top, middle, leaf } = await startTree()
    await copyRows('flow_runs', `r.id = '${middle}'`, { times: 20, id: `r.id || '-' || at` })
    await copyRows('flow_runs', `r.id = '${leaf}'`, {
      times: 200,
      id: `r.id || '-' || at`,
      parent_run_id: `'${middle}-' || (at % 20 + 1)`,
    })
    await copyRows('jobs', `r.flow_run_id = '${leaf}'`, {
      times: 3_000,
      id: `r.id || '-' || at`,
      flow_run_id: `'${leaf}-' || (at % 200 + 1)`,
    })
    return top
  }
  expect(await cancelEach(open)).toBeLessThan(MOST_MS)
  expect(await countOpen()).toEqual([0, 0])
}, 60_000)

it('ended subflow runs and jobs that subflows called do not block others', async () => {
  const open = async (): Promise<string> => {
    const { top, middle, leaf } = await startTree()
    await copyRows('flow_runs', `r.id = '${leaf}'`, {
      times: 4_000,
      id: `r.id || '-' || at`,
      status: `'completed'`,
      completed_at: '1',
    })
    await copyRows('flow_runs', `r.id = '${middle}'`, {
      times: 4_000,
      id: `r.id || '-' || at`,
      status: `'completed'`,
      completed_at: '1',
    })
    await copyRows('jobs', `r.flow_run_id = '${leaf}'`, {
      times: 3_000,
      id: `r.id || '-' || at`,
      called_by: 'r.id',
      flow_run_id: 'NULL',
      flow_index: 'NULL',
      flow_step: 'NULL',
      flow_slot: 'NULL',
      flow_attempt: 'NULL',
    })
    return top
  }
  expect(await cancelEach(open)).toBeLessThan(MOST_MS)
  expect(await countOpen()).toEqual([0, 0])
}, 60_000)

it('thousands of items that have not begun are deleted without blocking others', async () => {
  const open = async (): Promise<string> => {
    const { top } = await startTree()
    await db.write([
      sql`WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 9950)
        INSERT INTO flow_slots (run_id, step_index, slot, input, is_item) SELECT ${top}, 0, at, hex(randomblob(800)), 1 FROM n`,
    ])
    return top
  }
  expect(await cancelEach(open)).toBeLessThan(MOST_MS)
  expect(await number.one(db, sql`SELECT count(*) FROM flow_slots`)).toBe(0)
}, 60_000)
