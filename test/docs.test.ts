/** The documents are true: the README's commands run, block by block, against a real node, and names and links exist. */
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { SETTINGS } from '#config/config.ts'
import { shownCommands } from '../cmd/svc/commands.ts'
import packageJson from '../package.json' with { type: 'json' }
import { ROOT, readSource } from './support/repository.ts'
import { PROGRAM, startSvc } from './support/svc-process.ts'

const DOCUMENTS = ['*.md', 'docs/**/*.md', 'changes.d/*.md', 'examples/*/README.md'].flatMap(
  (pattern) => globSync(pattern, { cwd: ROOT }),
)

/** The fenced blocks of a document in order. */
const blocksOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , body = '']) => body)

const folder = mkdtempSync(join(tmpdir(), 'svc-docs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Uses dist/svc as built by `make test` or, without a build, the same program from source. */
const layOutCheckout = (): void => {
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true })
  mkdirSync(join(folder, 'dist'))
  const binary = join(ROOT, 'dist', 'svc')
  if (existsSync(binary)) {
    symlinkSync(binary, join(folder, 'dist', 'svc'))
    return
  }
  const words = PROGRAM.map((word) => `'${word}'`).join(' ')
  writeFileSync(join(folder, 'dist', 'svc'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 })
}

/** Runs the blocks in one shell, as a reader would in one terminal. @returns the output of each block */
const runBlocks = async (
  blocks: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> => {
  const mark = '=== end of block ==='
  const script = blocks.map((block) => `${block}\necho '${mark}'\n`).join('')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    timeout: 30_000,
  })
  return stdout.split(`${mark}\n`)
}

describe('the README', () => {
  const readme = readSource('README.md')

  test('is short', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(160)
  })

  test('shows commands that run, and what they answer', async () => {
    layOutCheckout()
    const [, startBlock = '', ...blocks] = blocksOf(readme, 'sh')
    const startLine = startBlock.split('\n').find((line) => line.includes('dist/svc start'))
    expect(startLine).toBe('SVC_GIT_LOCAL_ROOTS=$PWD dist/svc start')
    const node = startSvc(['start'], {
      cwd: folder,
      program: [join(folder, 'dist', 'svc')],
      env: { SVC_GIT_LOCAL_ROOTS: folder },
    })
    try {
      const [, address = ''] = await node.untilSaid(/"url":"http:\/\/([^"]+)"/)
      // the port is the test's own; the tool would use 3000 by default
      const outputs = await runBlocks(
        blocks.map((block) => block.replaceAll('127.0.0.1:3000', address)),
        { SVC_URL: `http://${address}` },
      )
      const [deployed, failed, waited, added, called] = outputs
      expect(deployed).toContain('✓ hello is at ')
      expect(deployed).toContain(blocksOf(readme, 'text')[0])
      expect(failed).toContain('"name": "RangeError"')
      expect(failed).toContain('lib/order.ts')
      const shown = JSON.parse(blocksOf(readme, 'json')[0] ?? '')
      expect(JSON.parse(waited ?? '')).toEqual({ ...shown, job_id: expect.any(String) })
      expect(added).toMatch(/^Added my-app: .*\nmy-app /m)
      expect(called).toMatch(/✓ shop\/hello .*\n.*Hello from svc!/)
    } finally {
      expect(await node.stop()).toBe(0)
    }
  })

  test('shows an app that can be deployed', async () => {
    const app = join(folder, 'readme-app')
    mkdirSync(join(app, 'actions'), { recursive: true })
    writeFileSync(join(app, 'app.yaml'), blocksOf(readme, 'yaml')[0] ?? '')
    writeFileSync(join(app, 'actions', 'greet.ts'), blocksOf(readme, 'ts')[0] ?? '')
    const node = startSvc(['start'], { cwd: app, env: { SVC_DATA_DIR: join(folder, 'app-data') } })
    try {
      const [, address = ''] = await node.untilSaid(/"url":"http:\/\/([^"]+)"/)
      const svc = PROGRAM.map((word) => `'${word}'`).join(' ')
      const [answer] = await runBlocks([
        `token=$(${svc} create-token default admin@localhost --data-dir app-data)
        tar -czf app.tar.gz -C readme-app .
        send() { curl -sS -H "authorization: Bearer $token" "http://${address}/api/w/default/$@"; }
        send deployments -F bundle=@app.tar.gz > /dev/null
        send jobs/run/hello/greet/wait -H 'content-type: application/json' -d '{"name":"Ada"}'`,
      ])
      expect(JSON.parse(answer ?? '')).toMatchObject({ result: { greeting: 'Hello, Ada!' } })
    } finally {
      await node.stop()
    }
  })
})

test('the README of examples/hello shows commands that run', async () => {
  const place = join(folder, 'with-hello')
  const hello = join(place, 'examples', 'hello')
  cpSync(join(ROOT, 'examples', 'hello'), hello, { recursive: true })
  const words = PROGRAM.map((word) => `'${word}'`).join(' ')
  mkdirSync(join(place, 'bin'))
  writeFileSync(join(place, 'bin', 'svc'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 })
  const node = startSvc(['start'], { cwd: place })
  try {
    const [, address = ''] = await node.untilSaid(/"url":"http:\/\/([^"]+)"/)
    const [block = ''] = blocksOf(readSource('examples/hello/README.md'), 'sh')
    const path = `export PATH='${join(place, 'bin')}':'${dirname(process.execPath)}':$PATH\ncd '${hello}'\n`
    const [output = ''] = await runBlocks([path + block], { SVC_URL: `http://${address}` })
    expect(output).toMatch(/pass 3/)
    expect(output).toContain('success  {"greeting":"Ada님, 안녕하세요!","count":1}')
    expect(output).toContain('RangeError: The order of Ada')
  } finally {
    await node.stop()
  }
})

describe.each(DOCUMENTS)('%s', (path) => {
  const text = readSource(path)

  test('links to what is there', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, to = '']) => to)
    const lost = links.filter((to) => !existsSync(join(ROOT, dirname(path), to)))
    expect(lost).toEqual([])
  })

  test('names words of make, commands of svc and settings that there are', () => {
    // texts in backticks, and the lines of shell blocks
    const lines = blocksOf(text, 'sh').flatMap((block) => block.split('\n'))
    const code = [...[...text.matchAll(/`([^`\n]+)`/g)].map(([, inner = '']) => inner), ...lines]
    const wordsAfter = (program: RegExp): readonly string[] =>
      code.flatMap((line) => program.exec(line)?.[1] ?? [])

    const words = new Set(
      [...readSource('Makefile').matchAll(/^([a-z-]+):/gm)].map(([, word]) => word),
    )
    expect(wordsAfter(/^make ([a-z-]+)/).filter((word) => !words.has(word))).toEqual([])
    const commands = wordsAfter(/^(?:dist\/)?svc ([a-z][a-z-]+)/)
    const known = new Set(shownCommands().map(([usage]) => usage.split(' ')[0]))
    expect(commands.filter((each) => !known.has(each))).toEqual([])

    const settings = new Set(SETTINGS.flatMap(({ meta }) => [meta.env, meta.alsoEnv]))
    const others = new Set(['SVC_CACHE_DIR', 'SVC_TOKEN', 'SVC_URL', 'SVC_API_KEY'])
    const named = [...text.matchAll(/\bSVC_[A-Z_]+[A-Z]\b/g)].map(([name]) => name)
    expect(named.filter((name) => !settings.has(name) && !others.has(name))).toEqual([])
  })
})

test('docs/dependencies.md names every package of package.json with its licence, and no other', () => {
  const [used = ''] = readSource('docs/dependencies.md').split('\n## Written here instead')
  const rows = [...used.matchAll(/^\| `([^`]+)` \| ([^|]+) \| (\S.*) \|$/gm)]
  const { dependencies, devDependencies, optionalDependencies } = packageJson
  const wanted = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(rows.map(([, name]) => name).sort()).toEqual(wanted.sort())
  for (const [, name = '', licence = ''] of rows) {
    const manifest = join(ROOT, 'node_modules', name, 'package.json')
    // npm does not install the optional programs for other machines
    if (!existsSync(manifest) && Object.hasOwn(optionalDependencies, name)) continue
    const { license }: { license: string } = JSON.parse(readFileSync(manifest, 'utf8'))
    expect(licence.trim(), name).toBe(license)
  }
})

test('fragments of the changelog say what kind of change they are', () => {
  const fragments = globSync('changes.d/*.md', { cwd: ROOT }).filter(
    (path) => !path.endsWith('README.md'),
  )
  const named = /^changes\.d\/[a-z0-9-]+\.(added|changed|deprecated|removed|fixed|security)\.md$/
  expect(fragments.filter((path) => !named.test(path))).toEqual([])
})

const composeFile = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string(),
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()).optional(),
    }),
  ),
})

test('compose.yaml starts the roles that there are, with settings that there are', () => {
  const { services } = composeFile.parse(parse(readSource('compose.yaml'), { merge: true }))
  const ours = Object.values(services).filter(({ image }) => image === 'svc')
  expect(ours.map(({ command }) => command?.[0])).toEqual(['server', 'worker', 'scheduler'])
  const known = SETTINGS.map(({ meta }) => meta.env)
  for (const { image } of Object.values(services)) {
    expect(image).toMatch(/^svc$|:v?\d+\.\d+/)
  }
  for (const { environment = {} } of ours) {
    for (const name of Object.keys(environment)) expect(known).toContain(name)
    expect(Object.keys(environment)).toEqual(
      expect.arrayContaining(['SVC_DATABASE_URL', 'SVC_DATABASE_AUTH_TOKEN', 'SVC_SECRET_KEY']),
    )
  }
})
