import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
// a project of its own imports '@svc/sdk/testing'
import { testDurable } from '../../../sdk/testing.ts'
import { tryApp } from '../../try-app.ts'
import { main } from '../actions/index-document.ts'

test('the last text of a document is indexed', async () => {
  const run = await testDurable(main, { input: { document: 'd1', text: 'three small words' } })
  assert.deepEqual(run.result, { document: 'd1', words: 3 })
  assert.deepEqual([...run.state], [['words/d1', 3]])
})

test('changes of one document wait for a quiet moment together', () => {
  const { manifest } = tryApp(join(import.meta.dirname, '..'))
  assert.equal(manifest.webhooks[0]?.input, 'json')
  const action = manifest.actions.find(({ key }) => key === 'index')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the manifest
  assert.deepEqual(action?.debounce, { key: '${input.document}', quietS: 5, maxS: 60 })
})
