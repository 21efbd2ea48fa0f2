/** The API reference: it explains each operation, and the typed client accepts its samples. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { allEndpoints } from '#http/endpoints/all.ts'
import { openApiDocument } from '#http/openapi.ts'
import { readDescription } from '#http/reference/description.ts'
import { outlineOf } from '#http/reference/outline.ts'
import { referencePage } from '#http/reference/page.ts'
import { curlSample, typescriptSample } from '#http/reference/samples.ts'
import { ROOT } from '../support/repository.ts'

const document: unknown = JSON.parse(JSON.stringify(openApiDocument(allEndpoints, '1.2.3')))
const description = readDescription(document)
const run = promisify(execFile)

test('has a section with shapes, errors and a curl sample for each operation', async () => {
  const page = await referencePage(document, '1.2.3')
  for (const { operationId, path } of description.operations) {
    expect(page).toContain(`<section id="${operationId}" data-operation`)
    expect(page).toContain(path.replaceAll('"', '&quot;'))
  }
  expect(page.match(/<h4>curl<\/h4>/g)).toHaveLength(description.operations.length)
  const [, text = ''] = /<main([\s\S]*)<\/main>/.exec(page) ?? []
  expect(text).not.toMatch(/<script|undefined|\[object/)
})

test('samples in TypeScript compile', { timeout: 120_000 }, async () => {
  const samples = description.operations.flatMap((each) => {
    const sample = typescriptSample(description, each)
    return sample === null ? [] : [`{\n${sample}\nvoid answer\n}`]
  })
  expect(samples.length).toBeGreaterThan(100)
  const folder = mkdtempSync(join(tmpdir(), 'svc-reference-'))
  try {
    const client = JSON.stringify(join(ROOT, 'sdk', 'client.ts'))
    const head = `import { createClient } from ${client}\nconst client = createClient({ url: '', workspace: '' })\n`
    writeFileSync(join(folder, 'samples.mts'), head + samples.join('\n'))
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const flags = [
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom,dom.iterable,dom.asynciterable',
    ]
    const strict = [
      '--strict',
      '--noEmit',
      '--skipLibCheck',
      '--allowImportingTsExtensions',
      '--types',
      '',
    ]
    const { stdout } = await run(
      process.execPath,
      [tsc, '--ignoreConfig', ...flags, ...strict, join(folder, 'samples.mts')],
      { cwd: folder },
    ).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('writes shapes as types, and bodies that fit', () => {
  const make = description.operations.find(({ operationId }) => operationId === 'createSchedule')
  const body = make?.requestBody?.content['application/json']?.schema
  if (make === undefined || body === undefined) throw new Error('createSchedule has no body.')
  const outline = outlineOf(description, body)
  expect(outline).toContain('  cron: string  // five fields, @daily and the like, or @every 30m')
  expect(outline).toContain('  overlap?: "allow" | "skip" | "queue"  // default "allow"')
  expect(curlSample(description, make)).toContain(
    `-d '{"app_key":"hello","cron":"0 9 * * *","action_key":"greet","input":{"name":"Ada"}}'`,
  )
})
