import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { test } from 'node:test'

const SVC = join(import.meta.dirname, '../../../cmd/svc/main.ts')

/** Runs the action as `svc dev run` does, without the weeks. */
const run = (...flags: readonly string[]): unknown => {
  const input = ['--input', '{"invoice":"i1"}']
  const args = [SVC, 'dev', 'run', 'dunning', '--skip-time', '--json', ...input, ...flags]
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  const { result }: { result?: unknown } = JSON.parse(stdout)
  return result
}

test('an invoice that is paid in time is not reminded of', () => {
  const result = run('--event', 'invoice.paid={"amount":5}')
  assert.deepEqual(result, { invoice: 'i1', status: 'paid', reminders: 0 })
})

test('one that stays open is reminded of three times and handed over', () => {
  const result = run()
  const end = { invoice: 'i1', status: 'escalated', handed: { by: 'collections' }, reminders: 3 }
  assert.deepEqual(result, end)
})
