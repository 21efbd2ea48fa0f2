import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { expect, test } from 'vitest'
import { leastLongestTurnMs } from '../../test/support/longest-turn.ts'
import { bundleEach, bundleEntries } from './bundle-entries.ts'

/** Kills esbuild, which is a child of this process, as code does that overflows its stack. */
const killBundler = (): void => {
  execFileSync('pkill', ['-KILL', '-P', String(process.pid), '-f', '--', '--service='])
}

test('no further entry is bundled after one at which the bundler gave up', async () => {
  // otherwise a deployment could occupy the bundler for a minute with each of its entries
  const paths = Array.from({ length: 17 }, (_, n) => `entry${n}.ts`)
  const source = new TextEncoder().encode(`import './deep.ts'; export const main = () => 1`)
  const files = new Map([...paths, 'deep.ts'].map((path) => [path, source]))
  const read = new Set<string>()
  const lookup = {
    has: (path: string) => files.has(path),
    keys: () => files.keys(),
    get: (path: string) => {
      read.add(path)
      if (path === 'deep.ts') killBundler()
      return files.get(path)
    },
  }
  await expect(bundleEntries(lookup, paths)).rejects.toMatchObject({
    code: 'unbundlable',
    details: [{ path: 'bundle' }],
  })
  expect(read).toContain('entry0.ts')
  expect(read).not.toContain('entry16.ts')
})

const bundleOne = (code: string) => {
  const source = new TextEncoder().encode(`export const main = () => 1\n${code}`)
  return bundleEntries(new Map([['entry.ts', source]]), ['entry.ts'])
}

test('warnings that svc does not read cost no memory, and computed imports are still reported', async () => {
  // esbuild would repeat the line of 63 KB in 9,000 messages
  const [entry] = await bundleOne(`let a = 1; ${'a==NaN;'.repeat(9_000)} import(a)`)
  expect(entry?.warnings).toMatchObject([{ path: expect.stringMatching(/^entry\.ts:2:/) }])
})

test('a missing optional package is reported once, and the first hundred of them', async () => {
  const tries = (name: string) => `try { require('${name}') } catch {}\n`
  const [one] = await bundleOne(tries('gone').repeat(3))
  expect(one?.warnings).toMatchObject([{ path: 'entry.ts' }])
  const [many] = await bundleOne(Array.from({ length: 200 }, (_, n) => tries(`gone${n}`)).join(''))
  expect(many?.warnings).toHaveLength(100)
})

test('code with too many messages in a long line is refused in words of its author', async () => {
  await expect(bundleOne('import(a);'.repeat(3_000))).rejects.toMatchObject({
    code: 'unbundlable',
    details: [{ path: 'entry.ts', message: expect.stringContaining('divide long lines') }],
  })
})

test('a fault is shortened if it repeats a name of a megabyte', async () => {
  const name = 'a'.repeat(1_000_000)
  const error: unknown = await bundleOne(`let ${name}, ${name}`).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'unbundlable' })
  expect(JSON.stringify(error).length).toBeLessThan(2_000)
})

test('the files that were opened give the same refusal of a native addon', async () => {
  // `svc deploy` sends no others of a package
  const folder = 'node_modules/native-one'
  const texts = {
    'entry.ts': `import one from 'native-one'; export const main = () => one`,
    [`${folder}/package.json`]: '{"exports":{".":"./lib/index.js"}}',
    [`${folder}/lib/index.js`]: 'module.exports = 1',
    [`${folder}/binding.gyp`]: '{}',
  }
  const files = new Map(
    Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)]),
  )
  const { faults, opened } = await bundleEach(files, ['entry.ts'])
  expect(faults).toMatchObject([{ message: expect.stringContaining('is a native addon') }])
  const sent = new Map([...files].filter(([path]) => opened.includes(path)))
  expect((await bundleEach(sent, ['entry.ts'])).faults).toEqual(faults)
})

const DECORATED = `
const seen: unknown[] = []
const note = (target: object, name: string) => { seen.push(typeof target, name) }
class User { @note email = 1 }
export const main = () => [seen, new User()]`

/** Bundles the file with a tsconfig.json, and runs it. */
const runWith = async (settings: object) => {
  const files = { 'entry.ts': DECORATED, 'tsconfig.json': JSON.stringify(settings) }
  const app = new Map(
    Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]),
  )
  const [entry] = await bundleEntries(app, ['entry.ts'])
  const { code } = (await entry?.loadCode()) ?? { code: '' }
  const url = `data:text/javascript,${encodeURIComponent(code)}`
  const module: { main(): unknown } = await import(url)
  return { result: module.main(), sources: entry?.sources }
}

test('decorators are those of the standard, or of experimentalDecorators in the tsconfig.json', async () => {
  const standard = await runWith({ compilerOptions: { target: 'ES5' } })
  expect(standard.sources).toEqual(['entry.ts'])
  expect(standard.result).toEqual([['undefined', expect.any(Object)], { email: 1 }])
  const earlier = await runWith({ compilerOptions: { experimentalDecorators: true } })
  expect(earlier.sources).toEqual(['entry.ts', 'tsconfig.json'])
  expect(earlier.result).toEqual([['object', 'email'], { email: 1 }])
})

test('code that needs experimentalDecorators gets a message with the place to set it', async () => {
  const tsconfig = '{"compilerOptions":{"experimentalDecorators":true}}'
  const bundle = (files: Readonly<Record<string, string>>) => {
    const encoder = new TextEncoder()
    const app = Object.entries(files).map(([path, text]) => [path, encoder.encode(text)] as const)
    return bundleEntries(new Map(app), ['entry.ts'])
  }
  const files = {
    'entry.ts': `import { IsEmail } from 'class-validator'; export const main = () => IsEmail`,
    'node_modules/class-validator/package.json': '{"main":"index.js"}',
    'node_modules/class-validator/index.js': 'exports.IsEmail = () => {}',
  }
  const message = expect.stringContaining('set "experimentalDecorators": true in the tsconfig.json')
  const path = 'node_modules/class-validator/package.json'
  const [without] = await bundle(files)
  expect(without?.warnings).toEqual([{ path, message }])
  const [fitting] = await bundle({ ...files, 'tsconfig.json': tsconfig })
  expect(fitting?.warnings).toEqual([])

  const code = 'class A { constructor(@note n: A) {} }; export const main = () => A'
  await expect(bundle({ 'entry.ts': code })).rejects.toMatchObject({
    details: [{ path: 'entry.ts:1:23', message }],
  })
})

test('other work has its turn between the modules of hundreds of imports', async () => {
  const encoder = new TextEncoder()
  const names = Array.from({ length: 100 }, (_, n) => `p${n}`)
  const list = `[${'[],'.repeat(29_000)}1]`
  const filesOf = (name: string): readonly (readonly [string, Uint8Array])[] => [
    [`node_modules/${name}/package.json`, encoder.encode(`{"main": "m.js", "x": ${list}}`)],
    [`node_modules/${name}/m.js`, encoder.encode('export default 1')],
    [`${name}.ts`, encoder.encode(`export { default } from '${name}'`)],
  ]
  const main = names.map((name) => `import ${name} from './${name}.ts'`).join('\n')
  const entry = encoder.encode(`${main}\nexport const main = () => [${names.join(', ')}]`)
  const tries: ReadonlyMap<string, Uint8Array>[] = []
  const longest = await leastLongestTurnMs(
    (at) => bundleEntries(tries[at] ?? new Map(), ['entry.ts']),
    {
      // a file that was read before is not parsed again
      prepare: async (at) => {
        tries[at] = new Map([['entry.ts', entry], ...names.flatMap(filesOf)])
      },
    },
  )
  expect(longest).toBeLessThan(100)
})
