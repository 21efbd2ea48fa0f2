import assert from 'node:assert/strict'
import { test } from 'node:test'
// a project of its own imports '@svc/sdk/testing'
import { testDurable } from '../../../sdk/testing.ts'
import { main } from '../actions/write.ts'
import { main as decide } from '../functions/decide/index.ts'

const input = { topic: 'tea' }
const tokenOf = (log: readonly string[]): string => /token=(\S+)/.exec(log.join('\n'))?.[1] ?? ''

/** Calls the function as a browser does, with the state of the run. @returns the page and the events that it sent */
const open = async (
  run: Awaited<ReturnType<typeof testDurable>>,
  token: string,
  answer?: 'publish' | 'reject',
) => {
  const sent: unknown[] = []
  const set: { status?: number; headers: Record<string, string> } = { headers: {} }
  const html = await decide({
    method: answer === undefined ? 'GET' : 'POST',
    query: { token },
    body: answer === undefined ? {} : { answer },
    set,
    state: {
      get: async (key) => run.state.get(key) ?? null,
      set: async () => undefined,
      update: async () => null,
      delete: async () => undefined,
      list: async () => [],
    },
    sendEvent: async (name, event) => {
      sent.push({ name, ...event })
      await run.sendEvent(name, event)
      return { eventId: 'e1' }
    },
  })
  return { html, status: set.status, sent }
}

test('the page shows the draft, and its answer continues the run', async () => {
  const run = await testDurable(main, { input, crashAfter: ['ask'] })
  const token = tokenOf(run.log)
  assert.match((await open(run, token)).html, /All about tea\..*<form/s)
  const { sent } = await open(run, token, 'publish')
  const data = { key: token, data: { answer: 'publish' }, id: `review/${token}` }
  assert.deepEqual(sent, [{ name: 'review.decided', ...data }])
  assert.deepEqual(run.result, { stage: 'published', draft: 'All about tea.' })
  assert.match((await open(run, token)).html, /It is published\./)
  assert.deepEqual((await open(run, token, 'reject')).sent, [])
})

test('without an answer it expires after a day', async () => {
  const run = await testDurable(main, { input })
  await run.advance({ days: 1 })
  assert.deepEqual(run.result, { stage: 'expired', draft: 'All about tea.' })
})

test('another token shows nothing', async () => {
  const run = await testDurable(main, { input })
  assert.equal((await open(run, 'guessed')).status, 404)
})
