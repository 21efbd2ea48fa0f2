import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@svc/sdk'
import { main } from '../actions/export.ts'

const contextOf = (rows: number) => {
  const kept = new Map<string, Json>()
  const seen: number[] = []
  const abort = new AbortController()
  const state = {
    get: async (key: string) => kept.get(key) ?? null,
    set: async (key: string, value: Json) => void kept.set(key, value),
    update: async () => null,
    delete: async (key: string) => void kept.delete(key),
    list: async () => [...kept.keys()],
  }
  const job = { id: 'j', app: 'export', action: 'export', commit: 'c', attempt: 1 }
  const progress = async (fraction: number): Promise<void> => void seen.push(fraction)
  return {
    context: { input: { rows }, signal: abort.signal, state, progress, job },
    kept,
    seen,
    abort,
  }
}

test('an export writes all parts and shows how far it is', async () => {
  const { context, kept, seen } = contextOf(4)
  assert.deepEqual(await main(context), { canceled: false, parts: 4 })
  assert.deepEqual([kept.size, seen], [4, [0.25, 0.5, 0.75, 1]])
})

test('a canceled one leaves nothing behind', async () => {
  const { context, kept, abort } = contextOf(1_000)
  const running = main(context)
  while (kept.size < 3) await new Promise((resolve) => setImmediate(resolve))
  abort.abort()
  assert.deepEqual(await running, { canceled: true, removed: 3 })
  assert.equal(kept.size, 0)
})
