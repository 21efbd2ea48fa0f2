import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FRAME_KINDS, FRAME_MARK, type FrameKind, frameText } from '../protocol/messages.ts'
import { createFrameParser, type Frame } from './frame-parser.ts'

const WORD = 'a-word-of-this-process'

const encodeFrame = (kind: FrameKind, frame: Readonly<{ run: number; payload: string }>): string =>
  `${FRAME_MARK}${WORD}${frameText(kind, frame)}`

type Seen = { frames: Frame[]; raw: string; bad: string[] }

const parse = (chunks: readonly Buffer[], limit = 64 * 1024): Seen => {
  const seen: Seen = { frames: [], raw: '', bad: [] }
  const parser = createFrameParser(WORD, {
    onFrame: (frame) => seen.frames.push(frame),
    onRaw: (bytes) => {
      seen.raw += bytes.toString('latin1')
    },
    onBadFrame: (reason) => seen.bad.push(reason),
  })
  parser.setLimit(limit)
  for (const chunk of chunks) {
    parser.push(chunk)
    parser.read(() => true)
  }
  return seen
}

const frame = fc.record({
  kind: fc.constantFrom(...Object.values(FRAME_KINDS)),
  run: fc.nat(),
  payload: fc.json({ maxDepth: 1 }).map((text) => text.replaceAll('\n', ' ')),
})
/** Ordinary output that contains every part of a frame except the word. */
const output = fc
  .array(fc.constantFrom('\u001e', 'a-word', 'r1 ', '\n', 'ü', '{}', '\u001ea-word-of-this-proces'))
  .map((parts) => parts.join(''))

const cutAt = (bytes: Buffer, cuts: readonly number[]): readonly Buffer[] => {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length))
}

describe('the parser of frames', () => {
  it('finds every frame, and all output between them, however the bytes are cut', () => {
    const pieces = fc.array(fc.oneof(frame, output), { maxLength: 12 })
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(), { maxLength: 20 }), (items, cuts) => {
        // a period ends each output, so that its end cannot begin the next marker
        const text = items
          .map((item) => (typeof item === 'string' ? `${item}.` : encodeFrame(item.kind, item)))
          .join('')
        const raw = items.map((item) => (typeof item === 'string' ? `${item}.` : '')).join('')
        const seen = parse(cutAt(Buffer.from(text), cuts))
        expect(seen.frames).toEqual(items.filter((item) => typeof item !== 'string'))
        expect(Buffer.from(seen.raw, 'latin1').toString('utf8')).toBe(raw)
        expect(seen.bad).toEqual([])
      }),
    )
  })

  it('gives each byte in one call at most one frame’s worth of memory: a long one is refused', () => {
    const endless = [Buffer.from(`\u001e${WORD}r1 `), ...Array(20).fill(Buffer.alloc(100, 0x61))]
    const seen = parse(endless, 1_000)
    expect(seen.bad).toEqual(['too_large'])
    expect(seen.frames).toEqual([])
  })

  it('reads no frame before it is called, even of a chunk that it has', () => {
    const told: string[] = []
    const parser = createFrameParser(WORD, {
      onFrame: ({ payload }) => told.push(payload),
      onRaw: () => undefined,
      onBadFrame: () => undefined,
    })
    const frames = ['1', '2', '3', '4'].map((payload) => encodeFrame('l', { run: 1, payload }))
    parser.push(Buffer.from(frames.join('')))
    expect(told).toEqual([])
    expect(parser.read(() => told.length < 2)).toBe(true)
    expect(told).toEqual(['1', '2'])
    parser.push(Buffer.from(encodeFrame('l', { run: 1, payload: '5' })))
    expect(parser.read(() => told.length < 4)).toBe(true)
    expect(told).toEqual(['1', '2', '3', '4'])
    parser.discard()
    expect(parser.read(() => true)).toBe(false)
    parser.push(Buffer.from(encodeFrame('l', { run: 1, payload: '6' })))
    expect(parser.read(() => true)).toBe(false)
    expect(told).toEqual(['1', '2', '3', '4'])
  })

  it('takes a frame of just the limit', () => {
    const payload = 'x'.repeat(997)
    const bytes = Buffer.from(encodeFrame('r', { run: 1, payload }))
    expect(parse([bytes], 1_000).frames).toEqual([{ kind: 'r', run: 1, payload }])
    expect(parse([bytes], 999).bad).toEqual(['too_large'])
  })

  it.each(['r1\n', 'r 1\n', 'z1 {}\n', 'r-1 {}\n', 'r1.5 {}\n', `r${'9'.repeat(17)} {}\n`, '\n'])(
    'refuses what is not a frame, and reads nothing after it: %j',
    (head) => {
      const next = encodeFrame('r', { run: 1, payload: '1' })
      const seen = parse([Buffer.from(`\u001e${WORD}${head}${next}`)])
      expect(seen).toEqual({ frames: [], raw: '', bad: ['malformed'] })
    },
  )
})
