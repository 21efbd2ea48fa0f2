/**
 * Packages that many apps import, from npm's registry by the lock file. Each is bundled as a
 * deploy does and makes its first call in a job. A package that needs a network sends a
 * request to an address that no job may reach, and gets the refusal.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BundledEntry } from '#bundle/bundle-entries.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { bubblewrapProvider, denoProvider, openPool, runJob } from '../sandbox/job.ts'
import { bundleFromLock } from './bundle-from-lock.ts'
import { CALLS } from './calls.ts'

let entries: ReadonlyMap<string, BundledEntry>

const PACKAGES_MS = 240_000

beforeAll(async () => {
  entries = await bundleFromLock(CALLS)
}, PACKAGES_MS)

/** At level runtime, Deno words the errors for what svc's network rule does not allow. */
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
      // these tests identify code by its text
      ...(await entry.loadCode()),
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
