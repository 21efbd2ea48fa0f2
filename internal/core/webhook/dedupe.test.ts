import { describe, expect, it } from 'vitest'
import { type Dedupe, dedupeSchema, dedupeValue } from './dedupe.ts'

const textOf = (
  dedupe: Dedupe,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): string | null =>
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
  ])('at %s in %s is the text %s', (body, json, value) => {
    expect(textOf({ body }, json)).toBe(value)
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
  ])('at %s in %s is missing', (body, json) => {
    expect(textOf({ body }, json)).toBeNull()
  })

  it('may be a header', () => {
    const dedupe = { header: 'x-github-delivery' }
    expect(textOf(dedupe, '{}', { 'X-GitHub-Delivery': 'd1' })).toBe('d1')
    expect(textOf(dedupe, '{}')).toBeNull()
    expect(textOf(dedupe, '{}', { 'X-GitHub-Delivery': '' })).toBeNull()
  })

  it('has one place', () => {
    expect(dedupeSchema.safeParse({ body: 'id', header: 'x-id' }).success).toBe(false)
    expect(dedupeSchema.safeParse({}).success).toBe(false)
    expect(dedupeSchema.safeParse({ body: 'a..b' }).success).toBe(false)
  })
})
