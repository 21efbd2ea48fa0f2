/** Reads hostile manifests on the real thread, and counts the turns of the event loop meanwhile. */
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AppError } from '#core/error.ts'
import { packageFault } from '#core/packages/package-fault.ts'
import { manifestReader } from '#node/manifest-thread.ts'
import { toAppFiles } from '../../../test/support/app-files.ts'
import { readAppFunctions } from '../functions/deploy-functions.ts'
import { readApp, readManifest } from './read-app.ts'

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
  const { error, turns } = await turnsUntilRefused(() =>
    readApp(DEPS, { ws: 'w', files, policy: POLICY }),
  )
  expect(turns).toBeGreaterThan(10)
  const { message, code, details } = error
  expect(refusal(() => readManifest(files))).toMatchObject({ message, code, details })
  expect(error.details).toHaveLength(1)
})

test('the event loop turns while hostile function.yaml files are read', async () => {
  const files = toAppFiles({
    'functions/a/index.ts': '',
    'functions/a/function.yaml': HOSTILE,
    'functions/b/index.ts': '',
    'functions/b/function.yaml': HOSTILE,
  })
  const act = async () => {
    throw (await readAppFunctions(DEPS, { ws: 'w', files, policy: POLICY })).refusal
  }
  const { error, turns } = await turnsUntilRefused(act)
  expect(turns).toBeGreaterThan(10)
  expect(error.details).toHaveLength(2)
})

test('a long manifest without faults gives what a command reads', async () => {
  const actions = Array.from({ length: 200 }, (_, n) => `  - { key: a${n}, entrypoint: a.ts }\n`)
  const text = `key: app\nactions:\n${actions.join('')}`
  const files = toAppFiles({ 'app.yaml': text, 'a.ts': 'export const main = () => 1' })
  const { manifest } = await readApp(DEPS, { ws: 'w', files, policy: POLICY })
  expect(manifest).toEqual(readManifest(files).manifest)
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

const refusalOf = async (files: Readonly<Record<string, string>>, more = {}) => {
  const read = readApp(DEPS, { ws: 'w', files: toAppFiles(files), policy: POLICY, ...more })
  const error: unknown = await read.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw new Error('The app was not refused.')
  return { ...error, message: error.message, paths: error.details?.map(({ path }) => path) }
}

const FAULTY = {
  'app.yaml':
    'key: a\ncolour: red\nactions:\n  - { key: b, entrypoint: b.ts }\n  - { key: c, entrypoint: lib/c.ts, memoryMb: 9000, x: 1 }\n  - { key: d, entrypoint: d.ts }\n',
  'b.ts': "import './none.ts'\nexport const main = () => 1",
  'd.ts': 'export const other = 1',
  'functions/f/index.ts': 'export default (',
  'functions/f/function.yaml': 'methods: [FETCH]\nnetwork: [10.0.0.1]\ncolour: red\n',
  'functions/g/index.ts': 'export const other = 1',
  'functions/h/main.ts': '',
  'functions/h/lib.ts': '',
}

test('a deployment reports the faults of manifest, functions, files and code at once, sorted by file', async () => {
  const { paths, message, code } = await refusalOf(FAULTY)
  expect(paths).toEqual([
    'app.yaml:2:1 colour',
    'app.yaml:5:37 actions[1].memoryMb',
    'app.yaml:5:53 actions[1].x',
    'b.ts:1:8',
    'd.ts',
    'functions/f/function.yaml:1:11 methods.0',
    'functions/f/function.yaml:3:1 colour',
    'functions/f/function.yaml network',
    'functions/f/index.ts:1:17',
    'functions/g/index.ts',
    'functions/h',
    'functions/h',
    'lib/c.ts',
  ])
  expect({ message, code }).toEqual({ message: 'The app has 13 faults.', code: 'bad_manifest' })
})

test('a fault of packages hides only faults of code', async () => {
  const fetchPackages = () => Promise.reject(packageFault('bad_lock_file', 'It is old.'))
  const { paths, code } = await refusalOf(FAULTY, { fetchPackages })
  expect(paths).toEqual([
    'app.yaml:2:1 colour',
    'app.yaml:5:37 actions[1].memoryMb',
    'app.yaml:5:53 actions[1].x',
    'functions/f/function.yaml:1:11 methods.0',
    'functions/f/function.yaml:3:1 colour',
    'functions/f/function.yaml network',
    'functions/h',
    'functions/h',
    'lib/c.ts',
    'packages',
  ])
  expect(code).toBe('bad_manifest')
  const alone = await refusalOf({ 'app.yaml': 'key: a\n' }, { fetchPackages })
  expect(alone).toMatchObject({ code: 'bad_lock_file', message: 'It is old.', paths: undefined })
})

test('a registry that is not reached is reported only if nothing is refused', async () => {
  const fetchPackages = () => Promise.reject(packageFault('registry_unreachable', 'It is off.'))
  const bad = await refusalOf({ 'app.yaml': 'key: a\nx: 1\n' }, { fetchPackages })
  expect(bad).toMatchObject({ code: 'bad_manifest', message: 'app.yaml has a fault.' })
  const good = await refusalOf({ 'app.yaml': 'key: a\n' }, { fetchPackages })
  expect(good).toMatchObject({ code: 'registry_unreachable' })
})

test('functions are checked without a manifest, and a wrong key is one of the faults', async () => {
  const functions = { 'functions/f/index.ts': 'export const other = 1' }
  expect((await refusalOf(functions)).paths).toEqual(['app.yaml', 'functions/f/index.ts'])
  const refuseKey = () => new AppError('unprocessable', 'It has another key.')
  const { paths } = await refusalOf({ ...functions, 'app.json': '{"key":"a"}' }, { refuseKey })
  expect(paths).toEqual(['app.json', 'functions/f/index.ts'])
})
