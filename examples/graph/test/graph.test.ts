import assert from 'node:assert/strict'
import { test } from 'node:test'
// a project of its own imports '@svc/sdk/testing'
import { testDurable } from '../../../sdk/testing.ts'
import { main } from '../actions/graph.ts'
import { compute, type NodeInput } from '../actions/node.ts'

const nodes = [
  { id: 'total', op: 'product', needs: ['sum', 'factor'] },
  { id: 'sum', op: 'sum', needs: ['a', 'b'] },
  { id: 'a', op: 'value', value: 2 },
  { id: 'b', op: 'value', value: 3 },
  { id: 'factor', op: 'value', value: 10 },
]
const actions = { node: (input: object) => compute(input as NodeInput) }

test('nodes run after those that they need, each once', async () => {
  let runs = 0
  const counting = {
    node: (input: object) => {
      runs += 1
      return compute(input as NodeInput)
    },
  }
  const run = await testDurable(main, {
    input: { nodes },
    actions: counting,
    crashAfter: ['a', 'sum'],
  })
  assert.deepEqual(run.result, { total: 50, sum: 5, a: 2, b: 3, factor: 10 })
  assert.equal(runs, 5)
})

test('a circle and a missing node are refused before anything runs', async () => {
  const circle = [
    { id: 'a', op: 'sum', needs: ['b'] },
    { id: 'b', op: 'sum', needs: ['a'] },
  ]
  const run = await testDurable(main, { input: { nodes: circle }, actions })
  assert.deepEqual([run.error?.message, run.steps], ['These nodes can never run: a, b', []])
  const lost = await testDurable(main, { input: { nodes: nodes.slice(0, 2) }, actions })
  assert.match(lost.error?.message ?? '', /can never run/)
})
