/**
 * Code blocks in documents: TypeScript compiles against the SDK, YAML is a valid
 * part of a manifest, and commands have the flags that are used.
 */
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { SETTINGS } from '#config/config.ts'
import { manifestFrame, parseManifest } from '#core/manifest/manifest.ts'
import { PROJECT_TEMPLATES, projectFiles } from '#project/project-templates.ts'
import { type GuideBlock, guideBlocks } from './support/guide-blocks.ts'
import { ROOT, readSource } from './support/repository.ts'
import { typeCheck } from './support/type-check.ts'

type Found = GuideBlock & Readonly<{ name: string }>

/** Guides have a separate test, which runs them. */
const BLOCKS: readonly Found[] = ['README.md', 'docs/*.md', 'examples/*/README.md']
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }).toSorted())
  .flatMap((path) =>
    guideBlocks(readSource(path)).map((block, at) => ({
      ...block,
      name: `${path.replaceAll('/', '-').replace(/\.md$/, '')}-${at + 1}`,
    })),
  )
const inLanguage = (language: string): readonly Found[] =>
  BLOCKS.filter((block) => block.language === language)

/** Adds what a reader has: a context, and functions of their own. */
const toModule = (body: string): string => {
  const typed = body.replaceAll(/\((ctx)(: Context)?\) =>/g, '($1: ActionContext<any>) =>')
  const isModule = /^(import|export) /m.test(body)
  const text = isModule
    ? typed
    : `export const block = async (ctx: ActionContext<any>) => {\n${typed}\n}\n`
  const needsType =
    /ActionContext/.test(text) && !/(import type \{|export type) ActionContext/.test(text)
  return needsType ? `import type { ActionContext } from '@svc/sdk'\n${text}` : text
}

/** Errors about names and files that the reader would have, such as `pay` or `../actions/dunning.ts`. */
const IS_OF_READER = /error TS(2304|2552|2307|18004):/

test('TypeScript in documents compiles', async () => {
  const files = inLanguage('ts').map(({ name, body }) => [`${name}.ts`, toModule(body)] as const)
  expect(files.length).toBeGreaterThan(10)
  const options = { noImplicitAny: false, noUnusedLocals: false, noImplicitReturns: false }
  const faults = await typeCheck(Object.fromEntries(files), options)
  expect(faults.filter((fault) => !IS_OF_READER.test(fault))).toEqual([])
}, 120_000)

test('the code of new projects compiles', async () => {
  const files = PROJECT_TEMPLATES.flatMap((template) =>
    Object.entries(projectFiles(template, 'shop', 'http://svc'))
      .filter(([path]) => path.endsWith('.ts'))
      .map(([path, text]) => [`${template.name}/${path}`, text] as const),
  )
  expect(files.length).toBeGreaterThan(10)
  expect(await typeCheck(Object.fromEntries(files))).toEqual([])
}, 120_000)

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The keys of actions or flows that a part of a manifest refers to. */
const targetsIn = (value: unknown, kind: 'action' | 'flow'): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((each) => targetsIn(each, kind))
  if (!isMapping(value)) return []
  const own = value[kind]
  const below = Object.values(value).flatMap((each) => targetsIn(each, kind))
  return typeof own === 'string' ? [own, ...below] : below
}

const keysIn = (list: unknown): readonly unknown[] =>
  Array.isArray(list) ? list.map((each: unknown) => (isMapping(each) ? each.key : null)) : []

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Completes a part of a manifest with the app's key, and with the actions and flows that it names. */
const complete = (part: Readonly<Record<string, unknown>>): string => {
  const { actions, flows } = part
  const missing = (kind: 'action' | 'flow', known: unknown) =>
    [...new Set(targetsIn(part, kind))].filter((key) => !keysIn(known).includes(key))
  const stubs = missing('action', actions).map((key) => ({ key, entrypoint: 'a.ts' }))
  const steps = [{ key: 'a', action: 'stub' }]
  const flowStubs = missing('flow', flows).map((key) => ({ key, steps }))
  const stub = flowStubs.length === 0 ? [] : [{ key: 'stub', entrypoint: 'a.ts' }]
  return stringify({
    key: 'docs',
    ...part,
    actions: [...listOf(actions), ...stubs, ...stub],
    flows: [...listOf(flows), ...flowStubs],
  })
}

/** @returns null for YAML that is not part of a manifest */
const toManifest = (body: string): string | null => {
  const value: unknown = parse(body)
  // steps of a flow
  if (Array.isArray(value)) return complete({ flows: [{ key: 'flow', steps: value }] })
  if (!isMapping(value)) return null
  const names = Object.keys(value)
  if (names.every((name) => name === 'retry')) {
    return complete({ actions: [{ key: 'action', entrypoint: 'a.ts', ...value }] })
  }
  const known = Object.keys(manifestFrame.shape)
  return names.every((name) => known.includes(name)) ? complete(value) : null
}

test('YAML in documents is a part of a manifest that svc takes', () => {
  const parts = inLanguage('yaml').flatMap(({ name, body }) => {
    const manifest = toManifest(body)
    return manifest === null ? [] : [[name, manifest] as const]
  })
  expect(parts.length).toBeGreaterThan(15)
  const faults = parts.flatMap(([name, text]) => {
    const read = parseManifest(text, 'app.yaml')
    return read.ok ? [] : [`${name}: ${read.faults.map(({ message }) => message).join(' ')}`]
  })
  expect(faults).toEqual([])
})

type Command = Readonly<{
  words: readonly string[]
  flags: ReadonlySet<string>
  hasSettings: boolean
}>

/** The commands of docs/cli.md, which is generated from their help. */
const COMMANDS: readonly Command[] = readSource('docs/cli.md')
  .split(/^#{2,4} /m)
  .slice(1)
  .map((section) => ({
    words: (/^`svc ([^`]+)`/.exec(section)?.[1] ?? '')
      .split(' ')
      .filter((word) => /^[a-z]/.test(word)),
    flags: new Set(
      [...section.matchAll(/^\| `([^`]+)` \|/gm)].flatMap(
        ([, names = '']) => names.match(/-{1,2}[a-z-]+/g) ?? [],
      ),
    ),
    hasSettings: section.includes('[settings]'),
  }))

const SETTING_FLAGS = new Set(
  SETTINGS.map(
    ({ meta }) => `--${meta.env.replace(/^SVC_/, '').toLowerCase().replaceAll('_', '-')}`,
  ),
)

const knows = ({ flags, hasSettings }: Command, flag: string): boolean =>
  flags.has(flag) ||
  ['--help', '--version'].includes(flag) ||
  (hasSettings && SETTING_FLAGS.has(flag))

const GUIDE_COMMANDS: readonly Found[] = globSync('docs/guides/*.md', { cwd: ROOT }).flatMap(
  (name) =>
    guideBlocks(readSource(name))
      .filter(({ language }) => language === 'sh')
      .map((block) => ({ ...block, name })),
)

test('commands in documents have the flags that are used', () => {
  const lines = [...inLanguage('sh'), ...GUIDE_COMMANDS].flatMap(({ name, body }) =>
    body
      .replaceAll('\\\n', ' ')
      .split('\n')
      // quoted text, or that of another command, may look like a flag
      .map((line) => ({
        name,
        line: line.replaceAll(/\$\((?!svc)[^)]*\)|'[^']*'|"[^"]*"/g, 'x').replace(/#.*$/, ''),
      })),
  )
  const calls = lines.flatMap(({ name, line }) =>
    [...line.matchAll(/(?:^|[\s(/])svc ((?:[a-z][a-z-]*)(?: [^|;&)]*)?)/g)].map(
      ([, call = '']) => ({ name, call }),
    ),
  )
  expect(calls.length).toBeGreaterThan(60)
  const faults = calls.flatMap(({ name, call }) => {
    const words = call.split(/\s+/)
    const command = COMMANDS.filter((each) =>
      each.words.every((word, at) => word === words[at]),
    ).at(-1)
    const flags = words.flatMap((word) => /^--?[a-z][a-z-]*/.exec(word) ?? [])
    return command === undefined
      ? []
      : flags.filter((flag) => !knows(command, flag)).map((flag) => `${name}: ${call}: ${flag}`)
  })
  expect(faults).toEqual([])
})
