import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import process from 'node:process'
import Libsql from 'libsql'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backupDatabase, checkDatabase, restoreDatabase } from '#store/maintenance/backup.ts'
import { SCHEMA_VERSION } from '#store/migrate.ts'
import { openDatabase } from '#store/open-database.ts'
import { raw, sql } from '#store/sql.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { giveAway } from '../support/other-owner.ts'

const PREPARE = resolve(import.meta.dirname, 'prepare-database.ts')

describe('backup and restore', () => {
  let directory: string
  let path: string
  let copy: string

  /** Uses a separate process, because a connection of this one would keep the file in use until garbage collection. */
  const prepare = async (label: string): Promise<void> => {
    const child = spawn(process.execPath, [PREPARE, `file:${path}`, label], { stdio: 'inherit' })
    expect(await once(child, 'exit')).toEqual([0, null])
  }
  const readLabels = async (file = path) => {
    const db = await openDatabase({ url: `file:${file}` })
    const rows = await db.all(sql`SELECT value FROM meta ORDER BY value`)
    await db.close()
    return rows.map((row) => row.value)
  }

  beforeEach(async () => {
    directory = makeMemoryFolder('svc-backup-')
    path = join(directory, 'svc.db')
    copy = join(directory, 'copy.db')
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it('leaves no log next to a copy that failed', async () => {
    await writeFile(path, 'This file is not a database.')
    await writeFile(`${copy}.partial-journal`, 'left by a full disk')
    expect(() => backupDatabase(path, copy)).toThrow()
    expect(await readdir(directory)).toEqual(['svc.db'])
  })

  it('copies a database that is being written, as one consistent state', async () => {
    await prepare('before')
    const db = await openDatabase({ url: `file:${path}` })
    await db.write([sql`CREATE TABLE pairs (id INTEGER PRIMARY KEY, side TEXT NOT NULL) STRICT`])
    let isOver = false
    const writing = (async () => {
      while (!isOver) {
        await db.write([
          sql`INSERT INTO pairs (side) VALUES ('left')`,
          sql`INSERT INTO pairs (side) VALUES ('right')`,
        ])
      }
    })()
    for (let index = 0; index < 3; index += 1) {
      const count = await db.one(sql`SELECT count(*) AS n FROM pairs`)
      const backup = backupDatabase(path, `${copy}-${index}`)
      expect(backup).toMatchObject({ schemaVersion: SCHEMA_VERSION })
      const copied = await openDatabase({ url: `file:${backup.file}` })
      const sides = await copied.one(
        sql`SELECT count(*) AS n, sum(side = 'left') AS lefts FROM pairs`,
      )
      expect(Number(sides?.n)).toBe(2 * Number(sides?.lefts))
      expect(Number(sides?.n)).toBeGreaterThanOrEqual(Number(count?.n))
      await copied.close()
    }
    isOver = true
    await writing
    await db.close()
  })

  it('writes a file for its owner alone, and never over another', async () => {
    await prepare('one')
    const backup = backupDatabase(path, copy)
    const { mode, size } = await stat(copy)
    expect(mode & 0o777).toBe(0o600)
    expect(backup).toEqual({ file: copy, bytes: size, schemaVersion: SCHEMA_VERSION })
    expect(() => backupDatabase(path, copy)).toThrow('is there already')
    expect(() => backupDatabase(path, directory)).toThrow(
      `${directory} is a folder. Name a new file in it, such as ${join(directory, 'svc.db')}`,
    )
    expect(() => backupDatabase(join(directory, 'none.db'), `${copy}2`)).toThrow('not found')
    expect(() => backupDatabase(path, join(directory, 'none', 'copy.db'))).toThrow()
  })

  it('puts a copy back and keeps what was there', async () => {
    await prepare('one')
    backupDatabase(path, copy)
    await prepare('two')
    const restored = restoreDatabase(copy, path, 'before-restore')
    expect(restored).toEqual({
      schemaVersion: SCHEMA_VERSION,
      kept: `${path}.before-restore`,
    })
    expect(await readLabels()).toEqual(['one'])
    expect(await readLabels(`${path}.before-restore`)).toEqual(['one', 'two'])
  })

  it.each(['a file', 'a folder without the file'])('leaves %s with its owner', async (place) => {
    await prepare('one')
    backupDatabase(path, copy)
    const target = join(directory, 'of-service')
    await mkdir(target)
    const file = join(target, 'svc.db')
    const owner = giveAway(target)
    if (place === 'a file') {
      await copyFile(path, file)
      giveAway(file)
    }
    restoreDatabase(copy, file, 'kept')
    expect((await stat(file)).uid).toBe(owner)
  })

  it('puts a copy where there was no database', async () => {
    await prepare('one')
    backupDatabase(path, copy)
    const other = join(directory, 'other.db')
    expect(restoreDatabase(copy, other, 'old').kept).toBeNull()
    expect(await readLabels(other)).toEqual(['one'])
  })

  it('puts back what a snapshot of a disk holds, with the log next to the file', async () => {
    await prepare('older')
    const db = await openDatabase({ url: `file:${path}` })
    await db.write([sql`INSERT INTO meta (key, value) VALUES ('late', 'newest')`])
    await copyFile(path, copy)
    await copyFile(`${path}-wal`, `${copy}-wal`)
    await db.close()
    const target = join(directory, 'restored.db')
    // of a restore that was killed
    await copyFile(`${copy}-wal`, `${target}.restoring-wal`)
    restoreDatabase(copy, target, 'kept')
    expect(await readLabels(target)).toContain('newest')
    expect(await readdir(directory)).toEqual(
      expect.arrayContaining(['copy.db', 'copy.db-wal', 'restored.db']),
    )
    expect((await readdir(directory)).filter((name) => name.includes('restoring'))).toEqual([])
  })

  it('puts a copy in the place of a database that cannot be read', async () => {
    await prepare('one')
    backupDatabase(path, copy)
    await writeFile(path, 'x'.repeat(8_192))
    const { kept } = restoreDatabase(copy, path, 'then')
    expect(await readFile(kept ?? '', 'utf8')).toMatch(/^x+$/)
    expect(await readLabels()).toEqual(['one'])
  })

  it.each(['gone', 'there'])(
    'keeps a log of the previous database apart, whose file is %s',
    async (what) => {
      await prepare('one')
      backupDatabase(path, copy)
      const db = await openDatabase({ url: `file:${path}` })
      await db.write([sql`UPDATE meta SET value = 'two'`])
      // as a machine that lost its power leaves it
      const log = await readFile(`${path}-wal`)
      await db.close()
      await writeFile(`${path}-wal`, log)
      if (what === 'gone') await rm(path)
      else await writeFile(path, 'x'.repeat(8_192))
      restoreDatabase(copy, path, 'then')
      expect(await readLabels()).toEqual(['one'])
      expect(await readFile(`${path}.then-wal`)).toEqual(log)
    },
  )

  it('does not take the database away from a process that has it open', async () => {
    await prepare('one')
    backupDatabase(path, copy)
    const db = await openDatabase({ url: `file:${path}` })
    expect(() => restoreDatabase(copy, path, 'old')).toThrow('is in use')
    await db.write([sql`INSERT INTO meta VALUES ('k', 'still here')`])
    expect(await readLabels()).toEqual(['one', 'still here'])
    await db.close()
  })

  it('is checked: what is wrong and what helps is named', async () => {
    await prepare('one')
    expect(() => checkDatabase(directory)).toThrow('it is a folder')
    const connection = new Libsql(path)
    connection.exec('PRAGMA foreign_keys = OFF')
    connection.exec(
      "INSERT INTO tokens (id, ws, email, label, hash, prefix, scopes, created_by, created_at) VALUES ('t', 'gone', 'gone', '', 'h', 'p', '', '', 0)",
    )
    connection.close()
    expect(() => checkDatabase(path)).toThrow(
      /missing \(tokens to users, tokens to workspaces\)\. Stop svc and restore a backup/,
    )
  })

  it('refuses a copy that is damaged, newer, or something else', async () => {
    await prepare('one')
    backupDatabase(path, copy)
    const bytes = await readFile(copy)
    const damaged = join(directory, 'damaged.db')
    await writeFile(damaged, bytes.fill(0xa5, 8_192, 16_384))
    expect(() => restoreDatabase(damaged, path, 'old')).toThrow('cannot be used')
    await writeFile(damaged, bytes.subarray(0, 100))
    expect(() => restoreDatabase(damaged, path, 'old')).toThrow('it is damaged')
    await writeFile(damaged, 'something else '.repeat(1_000))
    expect(() => restoreDatabase(damaged, path, 'old')).toThrow('cannot be used')
    await writeFile(damaged, '')
    expect(() => restoreDatabase(damaged, path, 'old')).toThrow('not a database of svc')

    const newer = await openDatabase({ url: `file:${copy}` })
    await newer.write([
      sql`INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (9999, 'later', 'x', 1)`,
    ])
    await newer.all(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
    await newer.close()
    expect(() => restoreDatabase(copy, path, 'old')).toThrow('Restore it with the newer svc')
    expect(() => restoreDatabase(join(directory, 'none'), path, 'old')).toThrow('not found')
    expect(await readLabels()).toEqual(['one'])
  })

  it.each([
    [
      'a database of another program with a table of the same name',
      [
        'CREATE TABLE schema_migrations (version INTEGER, dirty INTEGER)',
        'INSERT INTO schema_migrations VALUES (7, 0)',
      ],
      'not a database of svc',
    ],
    [
      'a database in which no migration ran',
      ['CREATE TABLE schema_migrations (version INTEGER, checksum TEXT)'],
      'not a database of svc',
    ],
    [
      'a database of an svc with another migration of that number',
      [
        'CREATE TABLE schema_migrations (version INTEGER, checksum TEXT)',
        "INSERT INTO schema_migrations VALUES (1, 'x')",
      ],
      'is not the one that made it',
    ],
  ])('refuses %s', async (_, statements, refusal) => {
    await prepare('one')
    const other = join(directory, 'other.db')
    const db = await openDatabase({ url: `file:${other}` })
    await db.write(statements.map((statement) => raw(statement)))
    await db.close()
    expect(() => restoreDatabase(other, path, 'old')).toThrow(refusal)
    expect(await readLabels()).toEqual(['one'])
  })
})
