import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { tryApp } from '../../try-app.ts'

const { runFlow } = tryApp(join(import.meta.dirname, '..'))

test('the results of a thousand children are collected', async () => {
  const { status, result } = await runFlow('all', { count: 1_000 })
  assert.equal(status, 'completed')
  assert.deepEqual(result, { pages: 1_000, words: 50_050_000 })
})
