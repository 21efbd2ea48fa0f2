import { describe, expect, it } from 'vitest'
import { parseManifest } from '../manifest/manifest.ts'

const POLICY = { maxMemoryMb: 512, maxTimeoutS: 60, allowedTags: null, granted: [] }

const parse = (fields: string) =>
  parseManifest(
    `key: a\nactions:\n  - key: b\n    entrypoint: a.ts\n    ${fields}\n`,
    'app.yaml',
    POLICY,
  )

describe('an instance with a cap of 60 s', () => {
  it('lowers the default of an action that names no timeoutS', () => {
    const parsed = parse('tag: default')
    expect(parsed.ok && parsed.manifest.actions).toMatchObject([{ timeoutS: 60 }])
  })

  it('takes what is named up to the cap, and refuses more, also the value of the default', () => {
    const parsed = parse('timeoutS: 59')
    expect(parsed.ok && parsed.manifest.actions).toMatchObject([{ timeoutS: 59 }])
    expect(parse('timeoutS: 60').ok).toBe(true)
    for (const more of ['timeoutS: 61', 'timeoutS: 300']) {
      const message = expect.stringContaining('SVC_JOB_MAX_TIMEOUT_S')
      expect(parse(more)).toMatchObject({ ok: false, faults: [{ message }] })
    }
  })

  it('refuses more memory than its cap', () => {
    expect(parse('memoryMb: 512').ok).toBe(true)
    expect(parse('memoryMb: 513').ok).toBe(false)
  })
})
