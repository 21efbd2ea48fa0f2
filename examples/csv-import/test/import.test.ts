import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { tryApp } from '../../try-app.ts'

const { runFlow } = tryApp(join(import.meta.dirname, '..'))

test('good rows are kept, and bad ones are reported by line', async () => {
  const csv = 'email,amount\nada@example.com,5\nnowhere,7\nbob@example.com,\n\ncy@example.com,8.5\n'
  const { status, result } = await runFlow('import', { csv })
  assert.equal(status, 'completed')
  assert.deepEqual(result, {
    kept: 2,
    refused: ['line 3: "nowhere" is not an address', 'line 4: has no amount'],
  })
})

test('a file without rows is an import of nothing', async () => {
  const { result } = await runFlow('import', { csv: 'email,amount' })
  assert.deepEqual(result, { kept: 0, refused: [] })
})
