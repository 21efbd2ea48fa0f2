/** A workspace moves from one database to another as a file: completely, once, and active only at the end. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAesKeyring, KEY_BYTES } from '#crypto/aes-keyring.ts'
import { authenticate } from '#service/access/authenticate.ts'
import { checkInstanceKey } from '#service/bootstrap.ts'
import type { PassFault } from '#service/fault-points.ts'
import { answerApproval } from '#service/flows/answer-approval.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { fireDueSchedules } from '#service/schedules/fire-schedules.ts'
import { variableContext } from '#service/secrets/secret-context.ts'
import { discardAbandonedImports, discardImport } from '#service/workspace-copy/discard-import.ts'
import { exportWorkspace } from '#service/workspace-copy/export-workspace.ts'
import { importWorkspace } from '#service/workspace-copy/import-workspace.ts'
import type { OpenLines } from '#service/workspace-copy/read-file.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import type { Database, SqlValue } from '#store/database.ts'
import { checkInvariants } from '#store/maintenance/check-invariants.ts'
import { openDatabase } from '#store/open-database.ts'
import { listVariables } from '#store/secrets.ts'
import { sql } from '#store/sql.ts'
import { openSnapshot, type Snapshot } from '#store/workspace-copy/snapshot.ts'
import { copiedSchema } from '#store/workspace-copy/tables.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import {
  COPIED,
  COPIED_MEMBER,
  type CopiedWorld,
  fillCopiedWorld,
  queueOf,
  SECRET,
  WAITING,
} from '../support/copied-world.ts'
import { startMigratedSqld } from '../support/migrated-sqld.ts'
import { openQueue, QUEUE_ADMIN } from '../support/open-queue.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'
import { createTestDeps } from '../support/test-deps.ts'

const PASSPHRASE = 'correct horse battery staple'

type Place = Readonly<{
  db: Database
  url: string
  path: string | null
  close: () => Promise<void>
}>

const openFile = async (): Promise<Place> => {
  const { db, url, path, close } = await openTemporaryDatabase()
  return { db, url, path, close }
}

const openServer = async (): Promise<Place> => {
  const sqld = await startMigratedSqld()
  const db = await openDatabase({ url: sqld.httpUrl })
  const close = () => db.close().then(sqld.close)
  return { db, url: sqld.httpUrl, path: null, close }
}

const linesOf = (text: string): OpenLines =>
  async function* lines() {
    yield* text.split('\n').slice(0, -1)
  }

/** Reads counters of another workspace, as someone who forges a file would write them. */
const ofOther = (snapshot: Pick<Snapshot, 'one' | 'all'>): Pick<Snapshot, 'one' | 'all'> => ({
  one: snapshot.one,
  all: ({ sql: text, args }) => {
    const isCounter = /FROM (rate_starts|fair_turns)/.test(text)
    const forge = (value: SqlValue): SqlValue =>
      typeof value === 'string' ? value.replace(COPIED, 'default') : value
    return snapshot.all({ sql: text, args: isCounter ? args.map(forge) : args })
  },
})

/** Throws at one point, once, as if the process had ended there. */
const failAt = (point: string): PassFault => {
  let isArmed = true
  return (passed) => {
    if (!isArmed || passed !== point) return
    isArmed = false
    throw new Error(`stopped at ${point}`)
  }
}

describe.each([
  ['a file', openFile],
  ['sqld', openServer],
])('a copy from and to %s', (_, open) => {
  let [source, target] = [undefined, undefined] as unknown as [Place, Place]
  let world: CopiedWorld
  let from: AllDeps
  let to: AllDeps
  /** The export of the workspace, made before anything else happens to it. */
  let text = ''
  beforeAll(async () => {
    source = await open()
    from = (await openQueue(source.db)).deps
    world = await fillCopiedWorld(from)
    text = await exportText()
  }, 60_000)
  afterAll(() => source.close())
  beforeEach(async () => {
    target = await open()
    // another instance has a different key, and the super admin of the first instance is also one here
    to = createTestDeps(target.db, {}, undefined, createAesKeyring(randomBytes(KEY_BYTES)))
    await checkInstanceKey(to)
    await createUser(to, { email: QUEUE_ADMIN, password: null, isSuperAdmin: true })
  }, 60_000)
  afterEach(() => target.close())

  const exportText = async (
    whileRead?: () => Promise<unknown>,
    read: typeof ofOther = (snapshot) => snapshot,
  ): Promise<string> => {
    const snapshot = await openSnapshot({ url: source.url })
    let written = ''
    const request = { ws: COPIED, passphrase: PASSPHRASE, version: 'test' }
    let isFirst = true
    for await (const block of exportWorkspace(from, read(snapshot), request)) {
      written += block
      if (isFirst) await whileRead?.()
      isFirst = false
    }
    snapshot.close()
    return written
  }
  const bring = (file: string, passFault: PassFault = () => undefined) =>
    importWorkspace({ ...to, passFault }, { open: linesOf(file), passphrase: PASSPHRASE })
  const count = async (db: Database, table: string): Promise<number> =>
    Number((await db.one({ sql: `SELECT count(*) AS n FROM ${table}`, args: [] }))?.n)

  it('brings everything, which goes on where it was', async () => {
    let batches = 0
    const imported = await bring(text, (point) => {
      if (point === 'import_batch') batches += 1
    })
    expect(imported).toMatchObject({ ws: COPIED, revokedTokens: 1 })
    expect(batches).toBeGreaterThan(1)
    const workspace = await findWorkspace(to.db, COPIED)
    const [variable] = await listVariables(to.db, COPIED)
    const { ciphertext = '' } = variable ?? {}
    const wrappedKey = workspace?.wrappedKey ?? ''
    expect(to.keyring.decrypt(wrappedKey, COPIED, variableContext('KEY'), ciphertext)).toBe(SECRET)
    expect(workspace?.notify).toHaveLength(1)
    expect(await count(to.db, 'git_repositories')).toBe(1)
    expect(await count(to.db, 'git_pack_chunks')).toBe(2)
    expect(await authenticate(to.db, world.token)).toMatchObject({ ws: COPIED })
    await expect(authenticate(to.db, world.adminToken)).rejects.toThrow('revoked')
    expect(await count(to.db, 'notifications')).toBe(0)
    await rescueJobs(to, null)
    expect((await fireDueSchedules(to, { graceMs: 0 })).length).toBeGreaterThan(0)
    const approve = {
      ws: COPIED,
      id: world.runId,
      approver: COPIED_MEMBER,
      via: 'session',
    } as const
    await answerApproval(to, { ...approve, answer: { kind: 'approve', values: {} } })
    // the waiting jobs, the lost one, the job of the schedule and the last step of the flow
    expect(await queueOf(to).work()).toBe(WAITING + 3)
    const run = await to.db.one(sql`SELECT status FROM flow_runs WHERE id = ${world.runId}`)
    expect(run?.status).toBe('completed')
    if (target.path !== null) {
      const findings = checkInvariants(target.path) ?? []
      expect(findings.flatMap(({ found }) => found)).toEqual([])
    }
  }, 120_000)

  it('is of one moment, whatever is written meanwhile', async () => {
    const jobs = await count(from.db, 'jobs')
    const moment = await exportText(() => world.enqueue('late'))
    expect(await count(from.db, 'jobs')).toBe(jobs + 1)
    await bring(moment)
    expect(await count(to.db, 'jobs')).toBe(jobs)
  }, 120_000)

  it('is refused of an import that ends after the moment', async () => {
    await expect(bring(text, failAt('import_batch'))).rejects.toThrow('stopped')
    const snapshot = await openSnapshot({ url: target.url })
    try {
      await bring(text)
      const request = { ws: COPIED, passphrase: PASSPHRASE, version: 'test' }
      await expect(exportWorkspace(to, snapshot, request).next()).rejects.toMatchObject({
        kind: expect.stringMatching(/^(?:conflict|not_found)$/),
      })
    } finally {
      snapshot.close()
    }
  }, 120_000)

  it.each(['import_held', 'import_batch', 'import_inserted', 'import_compared'])(
    'interrupted at %s shows nothing and goes on',
    async (point) => {
      await expect(bring(text, failAt(point))).rejects.toThrow('stopped')
      await expect(authenticate(to.db, world.token)).rejects.toThrow('not known')
      expect(await queueOf(to).work()).toBe(0)
      expect(await rescueJobs(to, null)).toEqual([])
      expect(await fireDueSchedules(to, { graceMs: 0 })).toEqual([])
      await expect(bring(await exportText())).rejects.toThrow('Another file')
      await bring(text)
      expect(await queueOf(to).work()).toBe(WAITING)
      await expect(bring(text)).rejects.toThrow('exists already')
    },
    120_000,
  )

  it('is removed whole when it is given up, and nothing of other workspaces', async () => {
    await createWorkspace(to, { id: 'other', name: 'other' })
    await expect(bring(text, failAt('import_inserted'))).rejects.toThrow('stopped')
    await discardImport(to, COPIED)
    for (const { name, isShared } of copiedSchema().tables) {
      if (isShared || name === 'audit_log') continue
      expect([name, await count(to.db, name)]).toEqual([name, 0])
    }
    expect(await findWorkspace(to.db, COPIED)).toBeNull()
    expect(await findWorkspace(to.db, 'other')).not.toBeNull()
    await expect(discardImport(to, 'other')).rejects.toThrow(
      'Workspace "other" has no unfinished import.',
    )
    await bring(text)
  }, 120_000)

  describe('that was left', () => {
    const { signal } = new AbortController()
    const turn = { signal, mayDelete: async () => true }
    const pass = (days: number) =>
      target.db.write([sql`UPDATE held_workspaces SET since = since - ${days * 86_400_000}`])
    const leave = () => expect(bring(text, failAt('import_inserted'))).rejects.toThrow('stopped')

    it('is removed after seven days, and may begin again', async () => {
      await leave()
      await pass(6.9)
      expect(await discardAbandonedImports(to, turn)).toEqual([])
      await pass(0.2)
      expect(await discardAbandonedImports(to, { ...turn, mayDelete: async () => false })).toEqual(
        [],
      )
      const stopped = { ...turn, signal: AbortSignal.abort() }
      expect(await discardAbandonedImports(to, stopped)).toEqual([])
      expect(await discardAbandonedImports(to, turn)).toEqual([COPIED])
      expect(await target.db.all(sql`SELECT 1 FROM jobs WHERE ws = ${COPIED}`)).toEqual([])
      const audit = sql`SELECT 1 FROM audit_log WHERE action = 'workspace.import_discarded'`
      expect(await target.db.all(audit)).toHaveLength(1)
      await bring(text)
      expect(await findWorkspace(target.db, COPIED)).not.toBeNull()
    }, 120_000)

    it('stays if it is continued within these days', async () => {
      await leave()
      await pass(6.9)
      await leave()
      await pass(6.9)
      expect(await discardAbandonedImports(to, turn)).toEqual([])
    }, 120_000)
  })

  it('stays hidden if another command discards it before its last write', async () => {
    let writes = 0
    const discard = () =>
      discardImport(
        {
          ...to,
          db: {
            ...to.db,
            write: (batch, options) => {
              writes += 1
              if (writes === 4) throw new Error('stopped')
              return to.db.write(batch, options)
            },
          },
        },
        COPIED,
      )
    const write: Database['write'] = async (batch, options) => {
      if ('released' in batch) await expect(discard()).rejects.toThrow('stopped')
      return to.db.write(batch, options)
    }
    const late = { ...to, db: { ...to.db, write } }
    const request = { open: linesOf(text), passphrase: PASSPHRASE }
    await expect(importWorkspace(late, request)).rejects.toThrow('discards the import')
    await expect(authenticate(to.db, world.token)).rejects.toThrow('not known')
    await expect(bring(text)).rejects.toThrow('Another file')
    await discardImport(to, COPIED)
    await bring(text)
    expect(await queueOf(to).work()).toBe(WAITING)
  }, 120_000)

  it('refuses a file that is cut, changed or locked by another passphrase, and writes nothing', async () => {
    const lines = text.split('\n')
    const faults = [
      lines.slice(0, -2).join('\n'),
      text.replace('waiting-3', 'waiting-4'),
      text.replace('"schema":', '"schema":9'),
      [lines[0], ...lines.slice(2)].join('\n'),
    ]
    for (const fault of faults) await expect(bring(`${fault}\n`)).rejects.toThrow('file')
    const request = { open: linesOf(text), passphrase: 'another passphrase' }
    await expect(importWorkspace(to, request)).rejects.toThrow('passphrase')
    expect(text).not.toContain(SECRET)
    expect(await count(to.db, 'held_workspaces')).toBe(0)
    expect(await count(to.db, 'workspaces')).toBe(0)
  }, 120_000)

  it('adds no rows to another workspace, even if its file has some', async () => {
    const key = 'default/shop/greet'
    await source.db.write([
      sql`INSERT INTO rate_starts (key, seq, at) VALUES (${key}, 1, 4000000000000)`,
      sql`INSERT INTO fair_turns (fair_group, turn) VALUES (${key}, 9)`,
    ])
    const hostile = await exportText(undefined, ofOther)
    expect(hostile).toContain(key)
    await expect(bring(hostile)).rejects.toThrow('rows here')
    expect(await count(to.db, 'rate_starts')).toBe(0)
    expect(await count(to.db, 'fair_turns')).toBe(0)
  }, 120_000)

  it.each(['notify', 'allowed_tags'])(
    'with a setting %s that svc cannot read is refused, and writes nothing',
    async (column) => {
      const hostile = await exportText(undefined, (snapshot) => ({
        one: snapshot.one,
        all: async (statement) => {
          const rows = await snapshot.all(statement)
          const isSettings = statement.sql.endsWith('FROM workspaces WHERE id = ?')
          return isSettings ? rows.map((found) => ({ ...found, [column]: '{bad' })) : rows
        },
      }))
      expect(hostile).toContain('{bad')
      await expect(bring(hostile)).rejects.toThrow('the settings of the workspace')
      expect(await count(to.db, 'workspaces')).toBe(0)
    },
    120_000,
  )
})
