/** The log of a node with several databases names the one that may lose commits. */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { type Sqld, startSqld } from '../support/sqld.ts'
import { startSvc } from '../support/svc-process.ts'

let folder = ''
let sqld: Sqld
beforeAll(async () => {
  folder = makeMemoryFolder('svc-relaxed-')
  sqld = await startSqld({ durability: 'relaxed' })
})
afterAll(async () => {
  await sqld.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a relaxed cell is named, with a remedy that works for a cell', async () => {
  const env = {
    SVC_PORT: '0',
    SVC_DATA_DIR: folder,
    SVC_CELLS: `eu=${sqld.httpUrl}`,
    SVC_LOG_FORMAT: 'json',
  }
  const node = startSvc(['server'], { cwd: folder, env })
  try {
    const [line] = await node.untilSaid(/.*answers before a commit.*/)
    expect(JSON.parse(line)).toMatchObject({
      message: expect.stringContaining('for each further cell, run after each start of sqld'),
      properties: { database: sqld.httpUrl },
    })
  } finally {
    node.child.kill('SIGTERM')
    await node.ended
  }
})
