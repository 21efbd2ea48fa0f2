/** A node with nothing to do writes nothing [jobs 9.5], although its duties look at the database. */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { startSvc } from '../support/svc-process.ts'

/** Longer than the slowest poll of the queue and than the interval of every duty except the hourly sweeps. */
const WATCHED_MS = 6_000
/** A start is over when nothing was written for this long, also on a slow machine. */
const SETTLED_MS = 2_000

const folder = makeMemoryFolder('svc-idle-')
const node = startSvc(['start', '--concurrency', '2'], {
  cwd: folder,
  env: { SVC_DATA_DIR: join(folder, 'data') },
})
afterAll(async () => {
  await node.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('svc start writes nothing while nothing is queued', async () => {
  const [, url = ''] = await node.untilSaid(/(http:\/\/127\.0\.0\.1:\d+)/)
  const path = join(folder, 'data', 'svc.db')
  const db = await openDatabase({ url: `file:${path}` })
  /** Returns values that change with every commit of another connection. */
  const look = async () => {
    const version = await db.one(sql`PRAGMA data_version`)
    const { size, mtimeMs } = statSync(`${path}-wal`)
    return { version, size, mtimeMs }
  }
  const answer = await fetch(`${url}/healthz`)
  expect(answer.status).toBe(200)
  // the first claim, which finds nothing, and everything else that belongs to the start
  let before = await look()
  for (;;) {
    await pass(SETTLED_MS)
    const now = await look()
    if (JSON.stringify(now) === JSON.stringify(before)) break
    before = now
  }
  const first = await look()
  await pass(WATCHED_MS)
  expect(await look()).toEqual(first)
  // the control: one commit of another connection shows in the look
  const other = await openDatabase({ url: `file:${path}` })
  await other.write([sql`INSERT INTO meta (key, value) VALUES ('idle', 'no more')`])
  expect((await look()).version).not.toEqual(first.version)
  await other.close()
  await db.close()
})
