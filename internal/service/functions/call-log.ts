/**
 * Records function calls. A call does not wait for its record: rows are written in batches, and beyond a limit the oldest
 * are dropped, because the response is more important than its record.
 */
import type { Logger } from '#log/logger.ts'
import { type FunctionCall, insertFunctionCalls } from '#store/apps/function-calls.ts'
import type { Deps } from '../deps.ts'

const FLUSH_MS = 250
const MOST_TOGETHER = 2_000
const MOST_WAITING = 10_000

export interface CallLog {
  add(call: FunctionCall): void
  /** Writes all pending records. */
  close(): Promise<void>
}

/** Creates the call log of one server. */
export const createCallLog = (
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  log: Pick<Logger, 'warn'>,
): CallLog => {
  const waiting: FunctionCall[] = []

  /** Leaves out the logs of workspaces that store too much, because anyone may call a function. */
  const withinQuotas = async (calls: readonly FunctionCall[]): Promise<readonly FunctionCall[]> => {
    const full = new Set<string>()
    for (const ws of new Set(calls.map((call) => call.ws))) {
      if (await storage.isFull(ws)) full.add(ws)
    }
    return calls.map((call) => (full.has(call.ws) ? { ...call, log: null } : call))
  }
  let timer: ReturnType<typeof setTimeout> | undefined

  const writeSome = async (): Promise<void> => {
    const calls = waiting.splice(0, MOST_TOGETHER)
    if (calls.length === 0) return
    try {
      const kept = await withinQuotas(calls)
      await db.write([insertFunctionCalls(kept)], { retry: true })
    } catch (error) {
      log.warn('Could not record function calls.', { count: calls.length, error })
    }
  }

  const later = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      // calls that came meanwhile wait for the next batch, so that they share a write
      void writeSome().finally(() => {
        if (waiting.length > 0) later()
      })
    }, FLUSH_MS)
  }

  return {
    add: (call) => {
      waiting.push(call)
      if (waiting.length > MOST_WAITING) waiting.shift()
      later()
    },
    close: async () => {
      clearTimeout(timer)
      while (waiting.length > 0) await writeSome()
    },
  }
}
