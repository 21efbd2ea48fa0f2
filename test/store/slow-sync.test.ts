/** The log of a file is synced outside the event loop (file-commit.ts), and no one sees what a power cut can undo. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { type FaultyDisk, openFaultyDisk } from '../support/faulty-disk.ts'
import { type FileWriter, startFileWriter } from '../support/file-writer.ts'

let folder: string
let url: string
let disk: FaultyDisk
let writers: FileWriter[]

const start = async (slowMs = 0): Promise<FileWriter> => {
  const writer = await startFileWriter(url, { ...disk.env, DISK_SLOW_MS: String(slowMs) })
  writers.push(writer)
  return writer
}

/** Cuts the power. @returns the items that are left */
const cutPower = async (): Promise<readonly unknown[]> => {
  await Promise.all(writers.splice(0).map((writer) => writer.kill()))
  disk.forget()
  const db = await openDatabase({ url })
  const rows = await db.all(sql`SELECT id FROM items ORDER BY id`)
  await db.close()
  return rows.map(({ id }) => id)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sync-'))
  url = `file:${join(folder, 'svc.db')}`
  disk = openFaultyDisk(folder)
  writers = []
})

afterEach(async () => {
  await Promise.all(writers.map((writer) => writer.kill()))
  disk.remove()
  rmSync(folder, { recursive: true, force: true })
})

const items = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${name}-${at}`)

it('does not block the event loop while a slow disk syncs', async () => {
  const writer = await start(200)
  expect(await writer.ask({ blockedMs: [...items('alone', 5)] })).toBeLessThan(150)
})

it('acknowledges writes after the sync that they share', async () => {
  const writer = await start()
  const acknowledged = await writer.ask({ write: [...items('shared', 20)] })
  expect(acknowledged).toHaveLength(20)
  expect(await cutPower()).toHaveLength(20)
})

it('shows another process only what survives a power cut', async () => {
  const writer = await start(400)
  const reader = await start()
  void writer.ask({ write: ['seen', 'beside', 'third'] }).catch(() => undefined)
  await reader.ask({ awaitItem: 'seen' })
  expect(await cutPower()).toContain('seen')
})

it('keeps what a checkpoint has moved from the log into the file', async () => {
  const writer = await start()
  const ids = Array.from({ length: 400 }, (_, at) => `${at}-${'x'.repeat(700)}`)
  for (const id of ids) await writer.ask({ write: [id] })
  expect(await cutPower()).toHaveLength(400)
})

it('loses nothing that it acknowledges after a sync has failed', async () => {
  const writer = await start()
  disk.fail('failing-sync')
  expect(await writer.ask({ write: [...items('refused', 3)] })).toEqual([])
  expect(await writer.ask({ write: [...items('refused-too', 3)] })).toEqual([])
  disk.heal()
  expect(await writer.ask({ write: [...items('later', 3)] })).toEqual(items('later', 3))
  expect(await cutPower()).toEqual(expect.arrayContaining([...items('later', 3)]))
})

it('reads only what survives a power cut after a sync has failed', async () => {
  const writer = await start()
  disk.fail('failing-sync')
  expect(await writer.ask({ write: [...items('refused', 3)] })).toEqual([])
  disk.heal()
  await writer.ask({ awaitItem: 'refused-0' })
  expect(await cutPower()).toContain('refused-0')
})
