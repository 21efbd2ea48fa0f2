/** Faults that only concern a file: other processes, kill -9, a full disk, a file that disappears. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Libsql from 'libsql'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileConnection } from '#store/backends/file-database-connection.ts'
import type { Database } from '#store/database.ts'
import { openDatabase, toDatabasePath } from '#store/open-database.ts'
import { raw, sql } from '#store/sql.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'
import { openTemporaryDatabase, type TemporaryDatabase } from '../support/temporary-database.ts'

const WRITER = resolve(import.meta.dirname, 'write-rows.ts')

describe('the database on a file', () => {
  let temporary: TemporaryDatabase
  let db: Database

  beforeEach(async () => {
    temporary = await openTemporaryDatabase()
    db = temporary.db
    await db.write([
      sql`CREATE TABLE items (id TEXT PRIMARY KEY, n INTEGER, b BLOB) STRICT`,
      sql`INSERT INTO items (id, n) VALUES ('counter', 0)`,
    ])
  })
  afterEach(() => temporary.close())

  const startWriter = (name: string, count: number) => {
    const child: ChildProcess = spawn(
      process.execPath,
      [WRITER, temporary.url, name, String(count)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const lines: string[] = []
    const input = child.stdout
    if (input === null) throw new Error('No output.')
    createInterface({ input }).on('line', (line) => lines.push(line))
    // `close` comes after the end of the output
    return { child, lines, ended: once(child, 'close') }
  }

  const countItems = async (like: string): Promise<number> =>
    Number((await db.one(sql`SELECT count(*) AS n FROM items WHERE id LIKE ${like}`))?.n)

  const pragma = async (name: string) =>
    Object.values((await db.one(sql`PRAGMA ${raw(name)}`)) ?? {})

  it('is durable, gives space back, and can be read by its owner alone', async () => {
    expect(await pragma('journal_mode')).toEqual(['wal'])
    expect(await pragma('synchronous')).toEqual([2])
    expect(await pragma('auto_vacuum')).toEqual([2])
    expect(await pragma('foreign_keys')).toEqual([1])
    expect((await stat(temporary.path)).mode & 0o777).toBe(0o600)
    expect((await stat(`${temporary.path}-wal`)).mode & 0o777).toBe(0o600)
  })

  it('accepts no write while its file is removed or replaced, and goes on when it is back', async () => {
    const write = () => db.write([sql`UPDATE items SET n = n + 1 WHERE id = 'counter'`])
    const aside = `${temporary.path}.aside`
    await rename(temporary.path, aside)
    await expect(write()).rejects.toMatchObject({ kind: 'gone', outcome: 'none' })
    await writeFile(temporary.path, '')
    await expect(write()).rejects.toThrow('was removed or replaced while it was open')
    expect(await db.one(sql`SELECT n FROM items`)).toEqual({ n: 0 })
    await rename(aside, temporary.path)
    await write()
    expect(await db.one(sql`SELECT n FROM items`)).toEqual({ n: 1 })
  })

  it('leaves its log when its file was removed, so that no later start begins an empty one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-removed-'))
    const path = join(folder, 'svc.db')
    const url = `file:${path}`
    const removed = await openDatabase({ url })
    await removed.write([sql`CREATE TABLE kept (id TEXT)`, sql`INSERT INTO kept VALUES ('a')`])
    await rename(path, `${path}.aside`)
    await removed.close()
    await expect(openDatabase({ url })).rejects.toThrow('is missing, but')
    await rename(`${path}.aside`, path)
    const back = await openDatabase({ url })
    expect(await back.one(sql`SELECT id FROM kept`)).toEqual({ id: 'a' })
    await back.close()
    await rm(folder, { recursive: true })
  })

  it('holds everything itself once it is closed: no write-ahead log stays next to it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-closed-'))
    const url = `file:${join(folder, 'svc.db')}`
    const written = await openDatabase({ url })
    await written.write([sql`CREATE TABLE kept (id TEXT)`, sql`INSERT INTO kept VALUES ('a')`])
    expect(await readdir(folder)).toContain('svc.db-wal')
    await written.close()
    expect(await readdir(folder)).toEqual(['svc.db'])
    const again = await openDatabase({ url })
    expect(await again.all(sql`SELECT id FROM kept`)).toEqual([{ id: 'a' }])
    await again.close()
    await rm(folder, { recursive: true })
  })

  it('is shared by several processes without a failed or lost write', async () => {
    const writers = ['one', 'two'].map((name) => startWriter(name, 300))
    let own = 0
    while (writers.some(({ child }) => child.exitCode === null)) {
      await db.write([sql`UPDATE items SET n = n + 1 WHERE id = 'counter'`])
      own += 1
    }
    const exits = await Promise.all(writers.map(({ ended }) => ended))
    expect(exits).toEqual([
      [0, null],
      [0, null],
    ])
    expect(await countItems('one-%')).toBe(300)
    expect(await countItems('two-%')).toBe(300)
    expect(await db.one(sql`SELECT n FROM items WHERE id = 'counter'`)).toEqual({ n: own + 600 })
  })

  it('keeps every acknowledged write of a process that is killed', async () => {
    const { child, lines, ended } = startWriter('killed', 1_000_000)
    while (lines.length < 200) await new Promise((next) => setTimeout(next, 2))
    child.kill('SIGKILL')
    await ended
    const acknowledged = lines.length - 1
    const kept = await countItems('killed-%')
    expect(kept).toBeGreaterThanOrEqual(acknowledged)
    expect(await db.one(sql`SELECT n FROM items WHERE id = 'counter'`)).toEqual({ n: kept })
    expect(await pragma('integrity_check')).toEqual(['ok'])
  })

  it('lets the event loop run while it waits for another process, and then goes on', async () => {
    const other = new Libsql(temporary.path)
    other.exec('BEGIN IMMEDIATE')
    let ticks = 0
    const ticking = setInterval(() => {
      ticks += 1
    }, 5)
    const writing = db.write([sql`INSERT INTO items (id) VALUES ('waited')`])
    while (ticks < 5) await new Promise((next) => setTimeout(next, 5))
    other.exec('COMMIT')
    await writing
    clearInterval(ticking)
    expect(await countItems('waited')).toBe(1)
    other.close()
  })

  it('lets the event loop run within a large write, which reads see whole or not at all', async () => {
    let ticks = 0
    let isWriting = true
    const counts = new Set<number>()
    const writing = db
      .write(
        Array.from({ length: 2_000 }, (_, n) => sql`INSERT INTO items (id) VALUES (${`m${n}`})`),
      )
      .finally(() => {
        isWriting = false
      })
    while (isWriting) {
      await new Promise((next) => setImmediate(next))
      ticks += 1
      void countItems('m%').then((count) => counts.add(count))
    }
    await writing
    expect(ticks).toBeGreaterThan(5)
    expect([...counts, await countItems('m%')].filter((n) => n !== 0 && n !== 2_000)).toEqual([])
  })

  it('blocks the event loop for less than 50 ms with a value of 15 MiB', async () => {
    const ms = await leastLongestTurnMs(
      (at) =>
        db.write([
          sql`INSERT INTO items (id, b) VALUES (${`big-${at}`}, ${new Uint8Array(15_728_640)})`,
        ]),
      { enoughMs: 0 },
    )
    expect(ms).toBeLessThan(50)
    // the last one is still in the log
    expect((await stat(temporary.path)).size).toBeGreaterThan(3 * 15_728_640)
  })

  it('checkpoints the log before it grows long', async () => {
    const bytes = new Uint8Array(2_000)
    for (let n = 0; n < 1_500; n += 1) {
      await db.write([sql`INSERT INTO items (id, b) VALUES (${`w${n}`}, ${bytes})`])
    }
    // each commit adds at least two pages of 4 KiB
    expect(statSync(`${temporary.path}-wal`).size).toBeLessThan(1_500 * 4_120)
  })

  it('checkpoints the log while it gives much space back', async () => {
    // what stays lies between what is deleted, so that its pages have to move
    const stays = Array.from(
      { length: 60 },
      () => sql`INSERT INTO items (id, b) VALUES (hex(randomblob(8)), zeroblob(3000))`,
    )
    for (let at = 0; at < 50; at += 1) {
      await db.write([
        sql`INSERT INTO items (id, b) VALUES (${`gone-${at}`}, zeroblob(500000))`,
        ...stays,
      ])
    }
    for (let at = 0; at < 50; at += 1)
      await db.write([sql`DELETE FROM items WHERE id = ${`gone-${at}`}`])
    const longBefore = statSync(`${temporary.path}-wal`).size
    while ((await db.reclaim(128)) > 0) await nextTurn()
    expect(statSync(`${temporary.path}-wal`).size).toBeLessThan(
      Math.max(longBefore, 6 * 1024 * 1024),
    )
  })

  it('checkpoints only while no other connection writes', async () => {
    const connection = openFileConnection({ path: temporary.path, busyWaitMs: 20 })
    const other = new Libsql(temporary.path)
    await db.write([sql`INSERT INTO items (id) VALUES ('in the log')`])
    other.exec('BEGIN IMMEDIATE')
    expect(connection.checkpoint()).toBeNull()
    other.exec('ROLLBACK')
    other.close()
    expect(connection.checkpoint()).toBeGreaterThan(0)
    connection.close()
  })

  it('undoes a large write whose last statement fails', async () => {
    const rows = Array.from(
      { length: 600 },
      (_, n) => sql`INSERT INTO items (id) VALUES (${`u${n}`})`,
    )
    const writing = db.write([...rows, sql`INSERT INTO items (id) VALUES ('counter')`])
    const other = db.write([sql`INSERT INTO items (id) VALUES ('other')`])
    await expect(writing).rejects.toMatchObject({ kind: 'constraint', outcome: 'none' })
    await other
    expect(await countItems('u%')).toBe(0)
    expect(await countItems('other')).toBe(1)
    expect(await pragma('cache_size')).toEqual([-16_384])
  })

  it('fails as busy while another process has the lock, and works again afterwards', async () => {
    const hasty = await openDatabase({ url: temporary.url, busyTimeoutMs: 50 })
    const other = new Libsql(temporary.path)
    other.exec('BEGIN IMMEDIATE')
    const insert = (id: string) => hasty.write([sql`INSERT INTO items (id) VALUES (${id})`])
    const settled = await Promise.allSettled([insert('busy-1'), insert('busy-2')])
    expect(settled).toMatchObject([
      { reason: { kind: 'busy', outcome: 'none' } },
      { reason: { kind: 'busy', outcome: 'none' } },
    ])
    expect(await hasty.one(sql`SELECT n FROM items WHERE id = 'counter'`)).toEqual({ n: 0 })
    other.exec('ROLLBACK')
    await insert('free')
    expect(await countItems('busy-%')).toBe(0)
    await hasty.close()
    other.close()
  })

  it('fails as full, keeps what it has, and writes again when there is space', async () => {
    const [pages] = await pragma('page_count')
    await db.all(sql`PRAGMA max_page_count = ${raw(String(Number(pages) + 4))}`)
    const insert = (id: string, bytes: number) =>
      db.write([sql`INSERT INTO items (id, b) VALUES (${id}, ${new Uint8Array(bytes)})`])
    const settled = await Promise.allSettled([insert('small', 10), insert('large', 200_000)])
    expect(settled[0]).toMatchObject({ status: 'fulfilled' })
    expect(settled[1]).toMatchObject({ reason: { kind: 'full', outcome: 'none' } })
    await db.all(sql`PRAGMA max_page_count = 1000000`)
    await insert('large', 200_000)
    expect(await countItems('%l%')).toBe(2)
  })

  it('refuses to make a file next to the log of a missing one, which SQLite would delete', async () => {
    const { path } = temporary
    const lone = join(dirname(path), 'lone.db')
    await writeFile(`${lone}-wal`, 'changes')
    await expect(openDatabase({ url: `file:${lone}` })).rejects.toMatchObject({
      kind: 'corrupt',
      message: expect.stringContaining(`The database file ${lone} is missing`),
    })
    expect(await readdir(dirname(path))).not.toContain('lone.db')
    await writeFile(`${lone}-wal`, '')
    await (await openDatabase({ url: `file:${lone}` })).close()
  })

  it('refuses a path that cannot be opened and a file that is not a database', async () => {
    await expect(
      openDatabase({ url: `file:${join(temporary.directory, 'svc.db', 'below')}` }),
    ).rejects.toThrow()
    const text = join(temporary.directory, 'text.db')
    await writeFile(text, 'This is not a database, despite its name. '.repeat(100))
    await expect(openDatabase({ url: `file:${text}` })).rejects.toMatchObject({
      name: 'DatabaseError',
      message: `The file ${text} is not a database, or it is damaged. Name another, or restore a backup.`,
    })
    await rm(text)
  })

  it('understands addresses of files and servers, and no others', () => {
    expect(toDatabasePath('file:/data/svc.db')).toBe('/data/svc.db')
    expect(toDatabasePath('file:///data/a%20b.db')).toBe('/data/a b.db')
    expect(toDatabasePath('file:svc-data/svc.db')).toBe(resolve('svc-data/svc.db'))
    expect(toDatabasePath('libsql://example.turso.io')).toBeNull()
    expect(toDatabasePath('http://127.0.0.1:8080')).toBeNull()
    for (const url of ['', 'svc.db', 'file:', 'file::memory:', 'postgres://host/db']) {
      expect(() => toDatabasePath(url)).toThrow('is not a database address')
    }
  })
})
