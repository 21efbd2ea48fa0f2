import { afterAll, beforeAll, expect, test } from 'vitest'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../test/support/temporary-database.ts'
import { claimJobs } from './claim.ts'

let temporary: TemporaryDatabase
beforeAll(async () => {
  temporary = await openTemporaryDatabase()
})
afterAll(() => temporary.close())

// sqld prepares a statement for every request, and copies a table that is read twice together with the tables that it reads
test.each([{ workspaces: [] }, { workspaces: ['default'] }])(
  'a claim of the workspaces $workspaces is prepared in less than 60 ms of processor time',
  async ({ workspaces }) => {
    const { claim, plain } = claimJobs({
      claimId: '',
      worker: '',
      tags: ['default'],
      levelRank: 3,
      workspaces,
      limit: 2,
      leaseMs: 1_000,
      afterWs: '',
      latestNow: null,
      maxRunning: 0,
    })
    const costs: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const before = cpuMs()
      for (const statement of [claim, plain]) {
        if (statement === null) continue
        // use a new text each time, because prepared statements are cached by text
        const text = `EXPLAIN QUERY PLAN ${statement.sql} -- ${round}`
        await temporary.db.all({ sql: text, args: statement.args })
      }
      costs.push(cpuMs() - before)
    }
    expect(Math.min(...costs)).toBeLessThan(60)
  },
)
