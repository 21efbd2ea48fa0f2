import { describe, expect, it } from 'vitest'
import { parseManifest } from '../manifest/manifest.ts'
import { parseToolName, toToolName } from './tool-name.ts'
import { toToolSchema } from './tool-schema.ts'

describe('toToolName', () => {
  it('is read back, since an app key has no underscore', () => {
    const target = { app: 'shop-2', key: 'ship_now' }
    expect(toToolName(target)).toBe('shop-2_ship_now')
    expect(parseToolName(toToolName(target))).toEqual(target)
    for (const name of ['', 'shop', '_ship', 'shop_']) expect(parseToolName(name)).toBeNull()
  })
})

describe('toToolSchema', () => {
  it('is always one of objects, whose properties are objects', () => {
    expect(toToolSchema(null)).toEqual({ type: 'object' })
    expect(toToolSchema(false)).toEqual({ type: 'object' })
    const schema = {
      type: ['object', 'null'],
      properties: { a: true, b: false, c: { minimum: 1 } },
    }
    expect(toToolSchema(schema)).toEqual({
      type: 'object',
      properties: { a: {}, b: { not: {} }, c: { minimum: 1 } },
    })
  })
})

const parse = (key: string, rest: object) =>
  parseManifest(JSON.stringify({ key, ...rest }), 'app.json')

describe('expose in a manifest', () => {
  const action = { key: 'job', entrypoint: 'a.ts', expose: { mcp: true } }
  const flow = { key: 'job', steps: [{ key: 'a', action: 'job' }], expose: { mcp: true } }

  it('is part of the definition, and absent where it was left out', () => {
    const parsed = parse('shop', { actions: [action, { key: 'b', entrypoint: 'b.ts' }] })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
    expect(parsed.manifest.actions.map(({ expose }) => expose)).toEqual([{ mcp: true }, undefined])
    expect(JSON.stringify(parsed.manifest.actions[1])).not.toContain('expose')
  })

  it('takes no name twice, and none of a tool of svc', () => {
    expect(parse('shop', { actions: [action], flows: [flow] })).toMatchObject({
      faults: [{ message: expect.stringContaining('exposed under the same name shop_job') }],
    })
    expect(parse('get', { actions: [action] })).toMatchObject({
      faults: [{ message: expect.stringContaining('get_job is a tool of svc itself') }],
    })
    const closed = { ...flow, expose: { mcp: false } }
    expect(parse('shop', { actions: [action], flows: [closed] })).toMatchObject({ ok: true })
  })

  it('refuses an approval of a flow, and a schema that cannot be used', () => {
    const bad = { ...flow, expose: { mcp: true, approval: true }, inputSchema: { type: 'wrong' } }
    expect(parse('shop', { actions: [{ ...action, key: 'x' }, action], flows: [bad] }).ok).toBe(
      false,
    )
  })
})
