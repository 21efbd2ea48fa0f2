import { describe, expect, it } from 'vitest'
import { MAX_JSON_DEPTH } from '#core/json/depth.ts'
import type { Dedupe } from '#core/webhook/dedupe.ts'
import { dedupeValue } from './dedupe-value.ts'

const textOf = (
  dedupe: Dedupe,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string | null> =>
  dedupeValue(dedupe, {
    body: new TextEncoder().encode(body),
    header: (name) => new Headers(headers).get(name) ?? undefined,
  })

describe('the value by which deliveries count as one', () => {
  it.each([
    ['id', '{"id":"evt_1"}', 'evt_1'],
    ['data.object.id', '{"data":{"object":{"id":"in_1"}}}', 'in_1'],
    ['items.1.id', '{"items":[{"id":1},{"id":2}]}', '2'],
    ['id', '{"id":7}', '7'],
    ['id', '{"id":"7"}', '7'],
    ['id', '{"id":true}', 'true'],
    ['id', '{"id":12345678901234567891}', '12345678901234567891'],
    ['id', '{"id":12345678901234567890}', '12345678901234567890'],
  ])('at %s in %s is the text %s', async (body, json, value) => {
    expect(await textOf({ body }, json)).toBe(value)
  })

  it.each([
    ['id', '{}'],
    ['id', '{"id":null}'],
    ['id', '{"id":""}'],
    ['id', '{"id":{"a":1}}'],
    ['id', '[1]'],
    ['id.a', '{"id":"text"}'],
    ['constructor.name', '{}'],
    ['id', 'id=7'],
    ['id', ''],
    ['id', '{"id":'],
  ])('at %s in %s is missing', async (body, json) => {
    expect(await textOf({ body }, json)).toBeNull()
  })

  it('may be a header', async () => {
    const dedupe = { header: 'x-github-delivery' }
    expect(await textOf(dedupe, '{}', { 'X-GitHub-Delivery': 'd1' })).toBe('d1')
    expect(await textOf(dedupe, '{}')).toBeNull()
    expect(await textOf(dedupe, '{}', { 'X-GitHub-Delivery': '' })).toBeNull()
  })

  it('is not read from JSON beyond the bounds, so the delivery is refused', async () => {
    const deep = `{"id":1,"a":${'['.repeat(MAX_JSON_DEPTH)}${']'.repeat(MAX_JSON_DEPTH)}}`
    await expect(textOf({ body: 'id' }, deep)).rejects.toMatchObject({ code: 'malformed_json' })
  })
})
