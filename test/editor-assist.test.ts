import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifestSchema } from '#core/manifest/schema.ts'
import { manifestAssist } from '../web/src/assist/manifest-assist.ts'
import { sdkAssist } from '../web/src/assist/sdk-assist.ts'
import { ACTION_TYPES, sdkMembers } from '../web/src/assist/sdk-members.ts'
import { yamlPlace } from '../web/src/assist/yaml-place.ts'

/** Removes the `|` and returns its position. */
const cut = (marked: string): readonly [string, number] => [
  marked.replace('|', ''),
  marked.indexOf('|'),
]

test.each([
  ['na|', [], ['key']],
  ['actions:\n  - ent|', ['actions', null], []],
  ['actions:\n  - key: a\n    ent|', ['actions', null], ['key']],
  ['actions:\n- key: a\n  ent|', ['actions', null], ['key']],
  ['actions:\n  - key: a\n    retry:\n      max|', ['actions', null, 'retry'], []],
  [
    'actions:\n  - key: a\n    retry:\n      delayMs: 1\n    ti|',
    ['actions', null],
    ['retry', 'key'],
  ],
  ['actions:\n  - key: a\n\n# more\n  - key: b\n    ti|', ['actions', null], ['key']],
  ['actions:\n  - key: a\n    retry: { max|', null, []],
  [
    'flows:\n  - key: f\n    steps:\n      - key: s\n        kind: |',
    ['flows', null, 'steps', null, 'kind'],
    [],
  ],
  ['actions:\n  - key: a\n    inputSchema:\n      type: object\nfl|', [], ['actions', 'key']],
])('%j is at %j', (marked, path, siblings) => {
  const [text, at] = cut(`key: app\n${marked}`)
  const found = yamlPlace(text, at)
  expect(found?.path ?? null).toEqual(path)
  if (path !== null && found?.isValue === false) expect(found.siblings).toEqual(siblings)
})

test('app.yaml is completed and explained from the schema of the manifest', () => {
  const assist = manifestAssist(JSON.parse(JSON.stringify(manifestSchema())))
  const labels = (marked: string) =>
    assist.suggest(...cut(marked))?.options.map(({ label }) => label) ?? null
  expect(labels('key: a\n|')).toEqual(
    expect.arrayContaining(['name', 'actions', 'flows', 'schedules']),
  )
  expect(labels('key: a\n|')).not.toContain('key')
  expect(labels('actions:\n  - |')).toEqual(expect.arrayContaining(['key', 'entrypoint', 'retry']))
  expect(labels('flows:\n  - key: f\n    steps:\n      - key: s\n        kind: |')).toEqual(
    expect.arrayContaining(['approval', 'sleep', 'event']),
  )
  const options = assist.suggest(...cut('actions:\n  - key: a\n    re|'))?.options ?? []
  expect(options.find(({ label }) => label === 'retry')).toMatchObject({ apply: 'retry:' })
  expect(options.find(({ label }) => label === 'timeoutS')).toMatchObject({ apply: 'timeoutS: ' })
  expect(assist.explain(...cut('actions:\n  - key: a\n    time|outS: 3'))).toMatchObject({
    title: 'timeoutS',
    text: expect.stringMatching(/\w/),
  })
  expect(assist.explain(...cut('actions:\n  - key: no|thing'))).toBeNull()
})

test('ctx is completed and explained from the source of the SDK, with all of its members', () => {
  const source = readFileSync(join(import.meta.dirname, '../sdk/mod.ts'), 'utf8')
  const root = sdkMembers(source, ACTION_TYPES)
  expect(root.map(({ name }) => name).toSorted()).toEqual(
    [
      ...[
        'input',
        'trigger',
        'variables',
        'resources',
        'job',
        'state',
        'approval',
        'flow',
        'signal',
      ],
      ...['progress', 'log', 'step', 'sleep', 'waitForEvent', 'call', 'callFlow'],
      ...['now', 'random', 'uuid'],
      ...['run', 'startFlow', 'sendEvent', 'cancel', 'fetch'],
    ].toSorted(),
  )
  const assist = sdkAssist(root)
  const suggested = assist.suggest(...cut('const x = await ctx.state.|'))
  expect(suggested?.options.map(({ label }) => label)).toEqual([
    'get',
    'set',
    'update',
    'delete',
    'list',
  ])
  expect(suggested?.options[0]).toMatchObject({
    kind: 'method',
    detail: '(key: string) => Promise<Json>',
    info: 'Resolves to null when the key does not exist.',
  })
  expect(assist.suggest(...cut('ctx.st|'))?.from).toBe(4)
  expect(assist.suggest(...cut('other.|'))).toBeNull()
  expect(assist.explain(...cut('  ctx.sle|ep(1)'))).toMatchObject({
    from: 6,
    to: 11,
    title: 'sleep: (name: string, duration: SleepDuration) => Promise<void>',
    text: 'Waits without a worker.',
  })
  expect(assist.explain(...cut('  ctx.noth|ing'))).toBeNull()
})
