import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
// a project of its own imports '@svc/sdk/testing'
import { testDurable } from '../../../sdk/testing.ts'
import { startNode } from '../../../test/support/example-node.ts'
import { main } from '../actions/onboard.ts'

const source = join(import.meta.dirname, '..')
const copy = mkdtempSync(join(tmpdir(), 'svc-versions-'))
after(() => rmSync(copy, { recursive: true }))

test('a customer who does not sign within 30 days expires', async () => {
  const run = await testDurable(main, { input: { customer: 'ada' } })
  await run.advance({ days: 30 })
  assert.equal(run.result, 'expired')
})

test('a run that waits keeps its code over a new version and a crash of the node', async () => {
  const node = await startNode()
  try {
    await node.deploy(source)
    const first = await node.run('versions/onboard', { customer: 'ada' })
    cpSync(source, copy, { recursive: true })
    const file = join(copy, 'actions', 'onboard.ts')
    writeFileSync(file, readFileSync(file, 'utf8').replace('plan A', 'plan B'))
    await node.deploy(copy)
    const second = await node.run('versions/onboard', { customer: 'bob' })
    await node.kill()
    await node.restart()
    for (const key of ['ada', 'bob']) {
      await node.call('POST', '/events', { name: 'contract.signed', key })
    }
    assert.deepEqual(await node.untilEnded(first), {
      status: 'success',
      result: 'Welcome to plan A, ada.',
    })
    assert.equal((await node.untilEnded(second)).result, 'Welcome to plan B, bob.')
  } finally {
    await node.remove()
  }
})
