/** What a deploy refuses or warns of in an app with packages, with what remedy. */
import { describe, expect, it } from 'vitest'
import type { AppTexts } from '../support/app-files.ts'
import { bundleApp, packageFiles } from '../support/bundle-app.ts'

const refusalOf = async (files: AppTexts): Promise<unknown> => {
  try {
    return await bundleApp(files)
  } catch (error) {
    return error
  }
}

describe('an app', () => {
  it.each([
    ['sources to compile', { 'node_modules/sqlite/binding.gyp': '{}' }],
    ['a built addon', { 'node_modules/sqlite/prebuilds/linux-x64/a.node': 'ELF' }],
  ])('is refused a package with %s, by its name', async (_, files) => {
    const app = {
      'main.ts': "import db from 'sqlite'\nexport const main = () => db",
      ...packageFiles('sqlite', 'module.exports = 1'),
      ...files,
    }
    expect(await refusalOf(app)).toMatchObject({
      code: 'unbundlable',
      details: [{ path: 'main.ts:1:16', message: expect.stringContaining('"sqlite" is a native') }],
    })
  })

  it('is refused a package that another one needs', async () => {
    const needs = "exports.a = () => require('needed')"
    const app = {
      'main.ts': "import { a } from 'careless'\nexport const main = a",
      ...packageFiles('careless', needs, { peerDependencies: { needed: '1' } }),
    }
    expect(await refusalOf(app)).toMatchObject({ code: 'unbundlable' })
  })

  it.each([
    [
      'kept/inner',
      'Cannot find "kept/inner". The package "kept" is installed, but does not export it.',
    ],
    [
      'open/inner',
      'Cannot find "open/inner". The package "open" is installed, but has no such module.',
    ],
    ['#inner', 'Cannot find "#inner" in "imports" of the package.json.'],
    ['node:inner', 'There is no built-in module "node:inner".'],
  ])('is refused an import of %s with the reason', async (specifier, message) => {
    const app = {
      'main.ts': `import inner from '${specifier}'\nexport const main = () => inner`,
      ...packageFiles('kept', 'export default 1', { exports: './index.js' }),
      ...packageFiles('open', 'export default 1'),
    }
    expect(await refusalOf(app)).toMatchObject({ details: [{ message }] })
  })

  it.each([
    ['bcrypt', 'binding.gyp', /^"bcrypt" is a native addon.* Use "bcryptjs"\.$/],
    ['other', 'binding.gyp', /^"other" is a native addon.* Use a package that is plain JavaScript/],
  ])('is refused the native addon %s, with what to use', async (name, file, message) => {
    const refused = await refusalOf({
      'main.ts': `import native from '${name}'\nexport const main = () => native`,
      ...packageFiles(name, 'module.exports = 1'),
      [`node_modules/${name}/${file}`]: '',
    })
    expect(refused).toMatchObject({ details: [{ message: expect.stringMatching(message) }] })
  })

  it('is refused @prisma/client without its generated code, with how to generate it', async () => {
    const refused = await refusalOf({
      'main.ts': "import { P } from '@prisma/client'\nexport const main = () => P",
      ...packageFiles(
        '@prisma/client',
        "module.exports = { ...require('.prisma/client/default') }",
      ),
    })
    const message = expect.stringMatching(/prisma generate.*"prisma-client".*"drizzle-orm"/)
    expect(refused).toMatchObject({ details: [{ message }] })
  })

  it('may name a package with a native addon in a try block', async () => {
    const entry = await bundleApp({
      'main.ts': "export const main = () => { try { return require('fast') } catch { return 0 } }",
      ...packageFiles('fast', 'module.exports = 1', { gypfile: true }),
    })
    expect(entry.warnings).toHaveLength(1)
  })

  it.each([
    ['puppeteer-core', /starts no programs.*puppeteer\.connect/],
    ['puppeteer', /does not load.*"puppeteer-core"/],
    ['playwright-core', /does not load.*"puppeteer-core"/],
    ['geoip-lite', /does not load.*"mmdb-lib"/],
    ['@anthropic-ai/claude-agent-sdk', /starts no programs.*"@anthropic-ai\/sdk"/],
    ['fluent-ffmpeg', /starts no programs/],
    ['libsql', /machine code.*"@libsql\/client\/web"/],
  ])('gets a warning of %s with what to do instead', async (name, message) => {
    const entry = await bundleApp({
      'main.ts': `import unfit from '${name}'\nexport const main = () => unfit`,
      ...packageFiles(name, 'module.exports = 1'),
    })
    expect(entry.warnings).toEqual([
      { path: `node_modules/${name}/package.json`, message: expect.stringMatching(message) },
    ])
  })

  it('is refused an import that a package does not export, by the path of its file', async () => {
    const app = {
      'main.ts': "import named from 'named'\nexport const main = () => named",
      ...packageFiles('named', 'export const a = 1'),
    }
    const message = 'No matching export in "node_modules/named/index.js" for import "default"'
    expect(await refusalOf(app)).toMatchObject({ details: [{ message }] })
  })

  it.each([
    ['dom', 'Use another package, or another version of it.'],
    ['pdf-parse', 'Use unpdf.'],
    ['jsdom', 'Use version 26 (npm install jsdom@26), or linkedom or cheerio.'],
    ['htmlnano', 'For mjml, use version 4 (npm install mjml@4).'],
    [
      'selenium-webdriver',
      'Use "puppeteer-core", and connect to a browser elsewhere by puppeteer.connect.',
    ],
  ])('is refused %s, which requires files by a pattern, with what to use', async (name, use) => {
    const app = {
      'main.ts': `import dom from '${name}'\nexport const main = dom`,
      ...packageFiles(name, "module.exports = (name) => require('./idl/' + name + '.js')"),
    }
    const message = expect.stringContaining(`"${name}" does not run in a job. ${use}`)
    expect(await refusalOf(app)).toMatchObject({ details: [{ message }] })
  })

  it('gets a warning of an import() in its own files whose name is computed', async () => {
    const entry = await bundleApp({
      'main.ts': "import { load } from './load'\nimport 'a'\nexport const main = load",
      'load.ts': 'export const load = (name: string) => import(name)',
      ...packageFiles('a', 'module.exports = (name) => import(name)'),
    })
    expect(entry.warnings).toEqual([
      { path: 'load.ts:1:39', message: expect.stringContaining('write each name as text') },
    ])
  })

  it('gets at most a hundred such warnings of an entry', async () => {
    const imports = 'import(name)\n'.repeat(101)
    const entry = await bundleApp({ 'main.ts': `export const main = (name) => {\n${imports}}` })
    expect(entry.warnings).toHaveLength(100)
  })

  it('is refused an import of a pattern, with the remedy', async () => {
    const error = await refusalOf({
      'main.ts': `export const main = (name: string) => import(\`./steps/\${name}.ts\`)`,
      'steps/a.ts': 'export const a = 1',
    })
    expect(JSON.stringify(error)).toContain('write each name as text')
  })

  it.each([
    'gone',
    './gone',
    '/etc/passwd',
    '#gone',
    'https://example.com/x.js',
    'data:text/javascript,1',
  ])('is refused an import of %s, with svc’s reason', async (specifier) => {
    const app = { 'main.ts': `import x from '${specifier}'\nexport const main = () => x` }
    const error = await refusalOf(app)
    expect(error).toMatchObject({ code: 'unbundlable' })
    expect(JSON.stringify(error)).not.toMatch(/Could not resolve/)
  })

  it('gets what each bundle is made of', async () => {
    const entry = await bundleApp({
      'main.ts': "import a from 'a'\nimport './lib/b'\nexport const main = () => a",
      'lib/b.ts': 'export {}',
      'lib/unused.ts': 'export {}',
      ...packageFiles('a', "module.exports = require('parted/part')"),
      ...packageFiles('parted', ''),
      'node_modules/parted/part/package.json': '{ "main": "../lib.js" }',
      'node_modules/parted/lib.js': '',
      ...packageFiles('unused', 'module.exports = 1'),
    })
    expect(entry.sources).toEqual([
      'lib/b.ts',
      'main.ts',
      'node_modules/a/index.js',
      'node_modules/a/package.json',
      'node_modules/parted/lib.js',
      'node_modules/parted/package.json',
      'node_modules/parted/part/package.json',
    ])
  })

  it('may open 20 MiB of sources and no more', async () => {
    const big = `export const a = 1 /* ${'x'.repeat(11_000_000)} */`
    const app = {
      'main.ts':
        "import { a } from './a'\nimport { a as b } from './b'\nexport const main = () => a + b",
      'a.ts': big,
    }
    expect(await refusalOf({ ...app, 'b.ts': 'export const a = 1' })).not.toBeInstanceOf(Error)
    const more = "export { a } from './a'\nimport './d'\nimport { c } from './c'\nc()"
    expect(await refusalOf({ ...app, 'b.ts': more, 'c.ts': big, 'd.ts': big })).toMatchObject({
      details: [{ message: expect.stringContaining('opens more than 20 MiB') }],
    })
    expect(JSON.stringify(await refusalOf({ ...app, 'b.ts': big }))).toContain(
      'opens more than 20 MiB of sources (so far the app itself 21.0 MiB). ',
    )
  })
})
