import { beforeEach, describe, expect, test } from 'vitest'
import { VIEW_TOKEN_DEFAULT_S } from '#core/access/view-token.ts'
import { sql } from '#store/sql.ts'
import { countingDatabase } from '../../test/support/counting-database.ts'
import { WS } from '../../test/support/open-queue.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../test/support/test-workspace.ts'
import { issueViewToken, openViewToken, revokeAllViewTokens, revokeViewToken } from './share-job.ts'

const place = await workspaceForFile()
await place.deploy({ key: 'greet' })
let jobId = ''
beforeEach(async () => {
  jobId = await place.enqueue()
})

const act = (ws = WS) => ({ ws, jobId, actor: actorFor(ADMIN) })
const share = () => issueViewToken(place.deps, act(), VIEW_TOKEN_DEFAULT_S)
const open = (text: string) => openViewToken(place.db, text)
const ended = { kind: 'gone', code: 'view_token_ended' }

describe('a view token', () => {
  test('opens its job, a day from now', async () => {
    const before = await place.db.now()
    const { text, expiresAt } = await share()
    await open(text)
    expect(expiresAt - before).toBeGreaterThanOrEqual(VIEW_TOKEN_DEFAULT_S * 1_000)
    expect(expiresAt - before).toBeLessThan((VIEW_TOKEN_DEFAULT_S + 60) * 1_000)
  })

  test('is not made for a job of another workspace', async () => {
    await expect(
      issueViewToken(place.deps, act('other'), VIEW_TOKEN_DEFAULT_S),
    ).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('ends when it is revoked, alone', async () => {
    const [one, two] = [await share(), await share()]
    await revokeViewToken(place.deps, act(), one.id)
    await expect(open(one.text)).rejects.toMatchObject(ended)
    await open(two.text)
  })

  test('ends with all others of its job', async () => {
    const [one, two] = [await share(), await share()]
    await revokeAllViewTokens(place.deps, act())
    await expect(open(one.text)).rejects.toMatchObject(ended)
    await expect(open(two.text)).rejects.toMatchObject(ended)
  })

  test('ends with very many others of its job, few of them in each write', async () => {
    const [{ text }, elsewhere] = [await share(), { ...act(), jobId: await place.enqueue() }]
    const other = await issueViewToken(place.deps, elsewhere, VIEW_TOKEN_DEFAULT_S)
    await place.db.write([
      sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1200)
        INSERT INTO view_tokens (id, ws, job_id, hash, prefix, expires_at, created_by, created_at)
        SELECT 'v' || n, ${WS}, ${jobId}, 'v' || n, '', 9e15, ${ADMIN}, 0 FROM n`,
    ])
    const { db, counts } = countingDatabase(
      place.db,
      sql`SELECT count(*) AS n FROM view_tokens WHERE revoked_at IS NULL AND job_id = ${jobId}`,
    )
    await revokeAllViewTokens({ ...place.deps, db }, act())
    expect(counts()).toEqual([500, 500, 201])
    await expect(open(text)).rejects.toMatchObject(ended)
    await open(other.text)
  })

  test('ends at its expiry', async () => {
    const { id, text } = await share()
    await place.db.write([sql`UPDATE view_tokens SET expires_at = 1 WHERE id = ${id}`])
    await expect(open(text)).rejects.toMatchObject(ended)
  })

  test('is not found when it is unknown, or of another job', async () => {
    const { id } = await share()
    await expect(open('svcv_00000000_nothing')).rejects.toMatchObject({ kind: 'not_found' })
    const elsewhere = { ...act(), jobId: await place.enqueue() }
    await expect(revokeViewToken(place.deps, elsewhere, id)).rejects.toMatchObject({
      kind: 'not_found',
    })
  })
})
