import assert from 'node:assert/strict'
import { test } from 'node:test'
// a project of its own imports '@svc/sdk/testing'
import { testDurable } from '../../../sdk/testing.ts'
import { main } from '../actions/agent.ts'

const question = 'Do I need a coat in Seoul?'
const CALL = { kind: 'tool', name: 'weather', arguments: { city: 'Seoul' } }
const ANSWER = { kind: 'answer', text: 'Yes: 3 degrees.' }

/** A model that gives these replies, one after another, and counts how often it is called. */
const modelOf = (replies: readonly (object | number)[]) => {
  const left = [...replies]
  const bodies: string[] = []
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    bodies.push(String(init?.body))
    const reply = left.shift() ?? ANSWER
    return typeof reply === 'number' ? new Response('', { status: reply }) : Response.json(reply)
  }
  return { fetch, bodies }
}
const actions = { weather: ({ city }: { city?: unknown }) => ({ city, celsius: 3 }) }

test('the model calls a tool and answers; a crash repeats no call', async () => {
  const { fetch, bodies } = modelOf([CALL, ANSWER])
  const crashAfter = ['model-1', 'tool-1', 'model-2']
  const run = await testDurable(main, { input: { question }, fetch, actions, crashAfter })
  assert.deepEqual(run.result, { answer: 'Yes: 3 degrees.', turns: 2 })
  assert.equal(bodies.length, 2)
  assert.match(bodies[1] ?? '', /celsius/)
})

test('a busy model is called again later', async () => {
  const { fetch, bodies } = modelOf([503, 503, ANSWER])
  const run = await testDurable(main, { input: { question }, fetch })
  await run.advance({ seconds: 10 })
  assert.deepEqual(run.result, { answer: 'Yes: 3 degrees.', turns: 1 })
  assert.equal(bodies.length, 3)
})

test('a model that never answers ends after ten turns, and an unknown tool at once', async () => {
  const turns = modelOf(Array.from({ length: 12 }, () => CALL))
  const run = await testDurable(main, { input: { question }, fetch: turns.fetch, actions })
  assert.match(run.error?.message ?? '', /No answer after 10 turns/)
  const other = modelOf([{ ...CALL, name: 'delete-all' }])
  const refused = await testDurable(main, {
    input: { question },
    fetch: other.fetch,
    maxAttempts: 3,
  })
  assert.deepEqual([refused.error?.message, refused.stretches], ['There is no tool delete-all.', 1])
})
