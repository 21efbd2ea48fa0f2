import { beforeAll, expect, it } from 'vitest'
import { createLogParts } from '#core/job/log-parts.ts'
import { followLog } from '#http/handlers/follow-log.ts'
import { writeLogItems } from '#http/views/log-items.ts'
import { createHints } from '#service/hints.ts'
import { readLog, readLogItems } from '#service/read-log.ts'
import type { Database } from '#store/database.ts'
import { insertLogChunk } from '#store/jobs/log.ts'
import { countTurns } from '../support/count-turns.ts'
import { openQueue, type Queue, WS } from '../support/open-queue.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'

const CHUNKS = 130
const TEXT = '가나다라'
const PIECES = 400

let queue: Queue
let id = ''
beforeAll(async () => {
  const opened = await openTemporaryDatabase()
  queue = await openQueue(opened.db)
  await queue.deploy({ key: 'greet' })
  id = await queue.enqueue()
  const [claim] = await queue.claim(1)
  if (claim === undefined) throw new Error('There was nothing to claim.')
  const piece = new TextEncoder().encode(TEXT)
  const bytes = new TextEncoder().encode(TEXT.repeat(PIECES))
  for (let seq = 0; seq < CHUNKS; seq += 1) {
    const parts = createLogParts()
    for (let at = 0; at < PIECES; at += 1) {
      const stream = at % 2 === 0 ? 'stdout' : 'stderr'
      parts.add({ at: seq, stream, bytes: piece.length })
    }
    await queue.db.write([insertLogChunk({ claim, seq, bytes, parts: parts.take() })])
  }
  return opened.close
})

/** Follows the log, and counts the chunks that are read. */
const follow = (tailBytes: number | null, format: 'text' | 'json' = 'text') => {
  let read = 0
  const all: Database['all'] = async (statement) => {
    const rows = await queue.db.all(statement)
    if (statement.sql.includes('FROM job_logs')) read += rows.length
    return rows
  }
  const deps = { db: { ...queue.db, all }, hints: createHints() }
  const { signal } = new AbortController()
  const events = followLog(deps, { ws: WS, id, signal }, { format, tailBytes })
  return { events, read: () => read }
}

it('holds a few chunks in memory for a follower who does not read', async () => {
  const { events, read } = follow(null)
  await events.next()
  expect(read()).toBeLessThanOrEqual(8)
  await events.return(undefined)
})

it('sends a long log to a follower in turns, all of it', async () => {
  const { result, turns } = await countTurns(async () => {
    const { events } = follow(null)
    let text = ''
    for (let at = 0; at < CHUNKS; at += 1) text += String((await events.next()).value?.data)
    await events.return(undefined)
    return text
  })
  expect(result).toBe(TEXT.repeat(CHUNKS * PIECES))
  expect(turns).toBeGreaterThanOrEqual(CHUNKS - 1)
})

it('sends a follower the tail from a whole character on', async () => {
  const tail = PIECES * 12 + 7
  const texts = follow(tail).events
  const first = await texts.next()
  expect(first.value?.data).toBe('다라')
  await texts.return(undefined)
  const pieces = follow(tail, 'json').events
  expect((await pieces.next()).value?.data).toMatchObject([{ text: '다라' }])
  await pieces.return(undefined)
})

it('reads a long log in turns', async () => {
  const { result, turns } = await countTurns(() => readLog(queue.db, id, null))
  expect(result).toHaveLength(CHUNKS * PIECES * 12)
  expect(turns).toBeGreaterThanOrEqual(2)
})

it('writes the pieces of a long log in turns', async () => {
  const { result, turns } = await countTurns(() =>
    writeLogItems(readLogItems(queue.db, { ws: WS, id }, null)),
  )
  const { items } = JSON.parse(result)
  expect(items).toHaveLength(CHUNKS * PIECES)
  expect(items.at(-1)).toEqual({
    at: new Date(CHUNKS - 1).toISOString(),
    stream: 'stderr',
    text: TEXT,
  })
  expect(turns).toBeGreaterThanOrEqual(CHUNKS)
})

it('reads the tail of a long log from a whole character on', async () => {
  const tail = 5 * PIECES * 12 + 7
  const text = new TextDecoder().decode(await readLog(queue.db, id, tail))
  expect(text).toBe(`다라${TEXT.repeat(5 * PIECES)}`)
  const { items } = JSON.parse(await writeLogItems(readLogItems(queue.db, { ws: WS, id }, tail)))
  expect(items[0]).toMatchObject({ text: '다라' })
  expect(items).toHaveLength(5 * PIECES + 1)
})
