import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { captureHeaders } from './headers.ts'

describe('captured headers', () => {
  it('have canonical names, whatever case they came in', () => {
    expect(
      captureHeaders([
        ['x-github-EVENT', 'push'],
        ['CONTENT-TYPE', 'text/plain'],
        ['etag', '1'],
        ['x-2fa-ok', 'yes'],
      ]),
    ).toEqual({
      'X-Github-Event': 'push',
      'Content-Type': 'text/plain',
      Etag: '1',
      'X-2fa-Ok': 'yes',
    })
  })

  it('never hold what the caller proves itself with', () => {
    const secrets = ['Authorization', 'cookie', 'Proxy-AUTHORIZATION'].map(
      (name) => [name, 'secret'] as const,
    )
    expect(captureHeaders(secrets)).toEqual({})
  })

  it('join the values of one name by commas, in order', () => {
    expect(
      captureHeaders([
        ['X-A', 'one'],
        ['x-b', 'other'],
        ['x-a', 'two'],
      ]),
    ).toEqual({ 'X-A': 'one,two', 'X-B': 'other' })
  })

  it('cut a value at 1 KiB, joined ones too', () => {
    const capture = (value: string) => captureHeaders([['x', value]]).X
    expect(capture('v'.repeat(1_024))).toHaveLength(1_024)
    expect(capture('v'.repeat(1_025))).toHaveLength(1_024)
    const both = captureHeaders([
      ['x', 'a'.repeat(1_000)],
      ['x', 'b'.repeat(1_000)],
    ]).X
    expect(both).toBe(`${'a'.repeat(1_000)},${'b'.repeat(23)}`)
  })

  it('leave out what would pass 8 KiB in all, and keep a later one that fits', () => {
    const full = Array.from({ length: 8 }, (_, at) => [`h${at}`, 'v'.repeat(1_022)] as const)
    expect(Object.keys(captureHeaders(full))).toHaveLength(8)
    const over = captureHeaders([...full.slice(0, 7), ['long', 'v'.repeat(1_024)], ['s', 'v']])
    expect(Object.keys(over)).not.toContain('Long')
    expect(over.S).toBe('v')
  })

  it('take names that mean something to JavaScript as names', () => {
    const captured = captureHeaders([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
    expect(Object.keys(captured).toSorted()).toEqual(['Constructor', '__proto__'])
    expect(Object.getPrototypeOf(captured)).toBe(Object.prototype)
  })

  it('hold every limit for whatever comes', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/)
    const value = fc.string({ maxLength: 3_000, unit: 'binary-ascii' })
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 60 }), (received) => {
        const entries = Object.entries(captureHeaders(received))
        const size = entries.reduce((sum, [key, text]) => sum + key.length + text.length, 0)
        expect(size).toBeLessThanOrEqual(8_192)
        for (const [key, text] of entries) {
          expect(text.length).toBeLessThanOrEqual(1_024)
          expect(['Authorization', 'Cookie', 'Proxy-Authorization']).not.toContain(key)
        }
      }),
    )
  })
})
