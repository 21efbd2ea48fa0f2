/** A process that has a database file open and does what its lines on stdin say, for faulty-disk.ts. */
import { fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'

const command = z.union([
  z.object({ write: z.array(z.string()) }),
  z.object({ awaitItem: z.string() }),
  z.object({ blockedMs: z.array(z.string()) }),
])
type Command = z.infer<typeof command>

const serve = async (url: string): Promise<void> => {
  const db = await openDatabase({ url })
  await db.write([sql`CREATE TABLE IF NOT EXISTS items (id TEXT PRIMARY KEY) STRICT`])
  /** Writes the items at once, as several callers. @returns those that are acknowledged */
  const write = async (ids: readonly string[]): Promise<readonly string[]> => {
    const outcomes = await Promise.all(
      ids.map((id) =>
        db.write([sql`INSERT INTO items (id) VALUES (${id})`]).then(
          () => [id],
          () => [],
        ),
      ),
    )
    return outcomes.flat()
  }
  /** @returns milliseconds of the longest turn of the event loop meanwhile */
  const blockedMs = async (ids: readonly string[]): Promise<number> => {
    let longest = 0
    let before = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - before)
      before = performance.now()
    }, 1)
    for (const id of ids) await write([id])
    clearInterval(timer)
    return longest
  }
  const awaitItem = async (id: string): Promise<true> => {
    while ((await db.one(sql`SELECT id FROM items WHERE id = ${id}`)) === null);
    return true
  }
  const obey = (given: Command): Promise<Serializable> => {
    if ('write' in given) return write(given.write)
    return 'awaitItem' in given ? awaitItem(given.awaitItem) : blockedMs(given.blockedMs)
  }
  process.on('message', (message) => {
    void obey(command.parse(message)).then((answer) => process.send?.({ answer }))
  })
  process.send?.('ready')
}

export type FileWriter = Readonly<{
  /** Sends a command and waits for its answer. One at a time. */
  ask: (command: Command) => Promise<unknown>
  /** Sends SIGKILL and waits. */
  kill: () => Promise<void>
}>

export const startFileWriter = async (
  url: string,
  env: Readonly<Record<string, string>>,
): Promise<FileWriter> => {
  const child = fork(fileURLToPath(import.meta.url), [url], { env, execArgv: [] })
  const ended = once(child, 'exit')
  await once(child, 'message')
  return {
    ask: async (given) => {
      const answered = once(child, 'message')
      child.send(given)
      const [message]: unknown[] = await answered
      return z.object({ answer: z.unknown() }).parse(message).answer
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const [, program, url] = process.argv
if (program === fileURLToPath(import.meta.url) && url !== undefined) await serve(url)
