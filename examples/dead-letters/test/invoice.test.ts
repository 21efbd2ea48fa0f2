import assert from 'node:assert/strict'
import { test } from 'node:test'
// a project of its own imports '@svc/sdk/testing'
import { testDurable } from '../../../sdk/testing.ts'
import { main } from '../actions/invoice.ts'

const input = { order: 'o-1', email: 'ada@example.com' }

test('a job that failed for lack of a variable succeeds when it is replayed with it', async () => {
  const failed = await testDurable(main, { input })
  assert.equal(failed.error?.message, 'The variable MAIL is not set.')
  const replayed = await testDurable(main, { input, variables: { MAIL: 'smtp.example.com' } })
  assert.deepEqual(replayed.result, { order: 'o-1', sentBy: 'smtp.example.com' })
})

test('a bad address has a name of its own, to which no further attempt follows', async () => {
  const run = await testDurable(main, { input: { order: 'o-2', email: 'ada' } })
  assert.deepEqual(run.error, { name: 'BadAddress', message: '"ada" is not an address.' })
})
