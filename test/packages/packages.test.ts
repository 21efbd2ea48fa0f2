/**
 * Packages that many apps import, as npm installs them: each is bundled as a deploy does and makes its first call in a
 * job. A package that needs a network requests an address that no job may reach, and gets the refusal.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BundledEntry, bundleEntries } from '#bundle/bundle-entries.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { bubblewrapProvider, denoProvider, openPool, runJob } from '../sandbox/job.ts'
import { CALLS } from './calls.ts'
import { installPackages } from './install.ts'

const entries = new Map<string, BundledEntry>()

const INSTALL_MS = 300_000

beforeAll(async () => {
  const folder = await installPackages()
  const files = new Map<string, Uint8Array>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files.set(path.slice(folder.length + 1), new Uint8Array(readFileSync(path)))
  }
  const names = Object.keys(CALLS)
  for (const [at, name] of names.entries()) {
    files.set(`actions/${at}.ts`, new TextEncoder().encode(CALLS[name]))
  }
  const bundled = await bundleEntries(
    files,
    names.map((_, at) => `actions/${at}.ts`),
  )
  for (const [at, name] of names.entries()) {
    const entry = bundled[at]
    if (entry !== undefined) entries.set(name, entry)
  }
}, INSTALL_MS)

/** Level runtime has Deno's own words for what svc's network rule leaves out. */
const LEVELS = [
  { level: 'runtime', open: denoProvider, reason: /Requires net access to "10\.255\.0\.1:\d+"/ },
  {
    level: 'os',
    open: () => bubblewrapProvider(),
    reason: /svc does not let this job reach .*: It is not a public address/,
  },
]

describe.each(LEVELS)('at level $level', ({ open, reason }) => {
  let pool: Sandbox
  beforeAll(() => {
    pool = openPool(open())
  })
  afterAll(() => pool.close())

  const call = async (name: string) => {
    const entry = entries.get(name)
    if (entry === undefined) throw new Error(`${name} was not bundled.`)
    const { outcome, log } = await runJob(pool, {
      // these tests name code by its text
      code: entry.code,
      sourceMap: entry.sourceMap,
      commit: entry.hash,
      limits: { memoryMb: 512, timeoutMs: 25_000 },
    })
    if (outcome.kind !== 'success') throw new Error(`${JSON.stringify(outcome)} ${log}`)
    return { result: JSON.parse(outcome.resultJson), log }
  }

  it.each(['pg', 'ioredis', 'axios', 'puppeteer-core', '@slack/web-api'])(
    '%s requests a server, and its caller gets the refusal',
    async (name) => {
      const { result } = await call(name)
      expect(result).toMatch(reason)
    },
  )

  it('@aws-sdk/client-s3 signs a request', async () => {
    const { result } = await call('@aws-sdk/client-s3')
    expect(result).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-north-1\/s3\//)
  })

  it('pino logs a line into the log of the job', async () => {
    const { log } = await call('pino')
    expect(JSON.parse(log)).toMatchObject({
      level: 30,
      hostname: 'svc',
      order: 7,
      msg: 'order is paid',
    })
  })
})
