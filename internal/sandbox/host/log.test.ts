import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createJobLog } from './log.ts'

const MARK = '\n[svc] The log limit is reached; further output is dropped.\n'

const collect = (limitBytes: number) => {
  const texts: string[] = []
  const log = createJobLog({
    limitBytes,
    mapStackTrace: (text) => text,
    onLog: (text) => texts.push(text),
  })
  return { log, texts }
}

test('text in any pieces is kept whole below the limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat({ max: 7 })), (text, sizes) => {
      const { log, texts } = collect(1_000_000)
      const bytes = Buffer.from(text)
      let at = 0
      for (const size of sizes) {
        log.bytes(bytes.subarray(at, at + size))
        at += size
      }
      log.bytes(bytes.subarray(at))
      log.end()
      expect(texts.join('')).toBe(bytes.toString('utf8'))
    }),
  )
})

test('beyond the limit it is cut at a whole character, with one mark, then silent', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.nat({ max: 60 }), (lines, limit) => {
      const { log, texts } = collect(limit)
      for (const line of lines) log.text(line, 'log')
      log.end()
      const all = lines.join('')
      const kept = texts.join('').replace(MARK, '')
      expect(all.startsWith(kept)).toBe(true)
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(limit)
      expect(texts.join('').includes(MARK)).toBe(Buffer.byteLength(all) > limit)
      expect(texts.filter((text) => text.includes('[svc]'))).toHaveLength(
        Buffer.byteLength(all) > limit ? 1 : 0,
      )
    }),
  )
})

test('half a character at the end shows as one that cannot be read', () => {
  const { log, texts } = collect(100)
  log.bytes(Buffer.from([0x61, 0xe2, 0x82]))
  log.end()
  expect(texts.join('')).toBe('a\ufffd')
})

test('counts what it drops, by text and by bytes', () => {
  const { log } = collect(10)
  log.text('x'.repeat(25), 'stdout')
  log.bytes(Buffer.alloc(7))
  expect(log.dropped()).toBe(22)
})
