/** Reads hostile manifests on the real thread, and counts the turns of the event loop meanwhile. */
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AppError } from '#core/error.ts'
import { manifestReader } from '#node/manifest-thread.ts'
import { toAppFiles } from '../../../test/support/app-files.ts'
import { readAppFunctions } from '../functions/deploy-functions.ts'
import { readManifest, readManifestOf } from './read-app.ts'

const HOSTILE = `[${','.repeat(30_000)}`
const DEPS = { manifests: manifestReader }
const POLICY = { maxMemoryMb: 512, maxTimeoutS: 300, allowedTags: null, granted: [] }

/** Returns the error of `act`, and how often the event loop turned until then. */
const turnsUntilRefused = async (act: () => Promise<unknown>) => {
  let error: unknown = null
  let turns = 0
  const ended = act().catch((reason: unknown) => {
    error = reason
  })
  let isEnded = false
  void ended.then(() => {
    isEnded = true
  })
  for (; !isEnded; turns += 1) await setTimeout(1)
  if (!(error instanceof AppError)) throw new Error('The app was not refused.')
  return { error, turns }
}

const refusal = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

test('the event loop turns while a hostile app.yaml is read, and its faults are the same', async () => {
  const files = toAppFiles({ 'app.yaml': HOSTILE })
  const { error, turns } = await turnsUntilRefused(() => readManifestOf(DEPS, { ws: 'w', files }))
  expect(turns).toBeGreaterThan(10)
  expect(error).toEqual(refusal(() => readManifest(files)))
  expect(error.details).toHaveLength(1)
})

test('the event loop turns while hostile function.yaml files are read', async () => {
  const files = toAppFiles({
    'functions/a/index.ts': '',
    'functions/a/function.yaml': HOSTILE,
    'functions/b/index.ts': '',
    'functions/b/function.yaml': HOSTILE,
  })
  const act = () => readAppFunctions(DEPS, { ws: 'w', files, policy: POLICY })
  const { error, turns } = await turnsUntilRefused(act)
  expect(turns).toBeGreaterThan(10)
  expect(error.details).toHaveLength(2)
})

test('a long manifest without faults gives what a command reads', async () => {
  const actions = Array.from({ length: 200 }, (_, n) => `  - { key: a${n}, entrypoint: a.ts }\n`)
  const files = toAppFiles({ 'app.yaml': `key: app\nactions:\n${actions.join('')}` })
  expect(await readManifestOf(DEPS, { ws: 'w', files })).toEqual(readManifest(files))
})

test('a file that the app lacks is listed with the other faults of the manifest', () => {
  const actions =
    '{ key: b, entrypoint: b.ts }, { key: c, entrypoint: c.ts, x: 1 }, { key: d, entrypoint: 1 }'
  const text = `key: a\nactions: [${actions}]\n`
  const error = refusal(() => readManifest(toAppFiles({ 'app.yaml': text })))
  expect(error).toMatchObject({
    message: 'app.yaml has 4 faults.',
    details: [
      { message: expect.stringContaining('x is not a field') },
      { path: 'app.yaml:2:87 actions[2].entrypoint' },
      { path: 'b.ts', message: expect.stringContaining('the app does not contain it') },
      { path: 'c.ts', message: expect.stringContaining('the app does not contain it') },
    ],
  })
})
