import { describe, expect, test } from 'vitest'
import { addPieces, findLines, type LogPiece, markSpans, NO_LINES, shownPart } from './log-lines.ts'

const piece = (text: string, stream = 'stdout', at = 1): LogPiece => ({ at: `${at}`, stream, text })
const shown = (pieces: readonly LogPiece[]): readonly string[] =>
  addPieces(NO_LINES, pieces).lines.map(({ at, stream, text }) => `${at} ${stream} ${text}`)

describe('pieces of a log', () => {
  test('become lines with the time at which each began', () => {
    expect(shown([piece('one\ntw', 'stdout', 1), piece('o\n\nthree', 'stdout', 2)])).toEqual([
      '1 stdout one',
      '1 stdout two',
      '2 stdout ',
      '2 stdout three',
    ])
  })

  test('of two streams never share a line', () => {
    expect(
      shown([piece('out'), piece('bad\n', 'stderr', 2), piece('more\n', 'stdout', 3)]),
    ).toEqual(['1 stdout out', '2 stderr bad', '3 stdout more'])
  })

  test('go on where the last ones ended, and an empty one ends no line', () => {
    const first = addPieces(NO_LINES, [piece('a')])
    const second = addPieces(first, [piece(''), piece('b\n')])
    expect(second).toEqual({ lines: [piece('ab')], isOpen: false })
  })
})

describe('search', () => {
  const lines = addPieces(NO_LINES, [piece('Hello\nworld\n\u001b[32mhel\u001b[0mlo\n')]).lines

  test('finds lines in any case and through colours', () => {
    expect(findLines(lines, 'HELLO')).toEqual([0, 2])
    expect(findLines(lines, '')).toEqual([])
  })

  test('marks what is found and leaves the rest', () => {
    const spans = [{ text: 'a-A-b', tone: null, isBold: false }]
    expect(markSpans(spans, 'a').map(({ text, isFound }) => [text, isFound])).toEqual([
      ['a', true],
      ['-', false],
      ['A', true],
      ['-b', false],
    ])
  })
})

describe('a line too long to draw', () => {
  const long = `${'a'.repeat(500_000)}Needle${'b'.repeat(500_000)}`

  test('is drawn in part, with the number of characters left out', () => {
    expect(shownPart('short', 'x')).toEqual({ text: 'short', before: 0, after: 0 })
    const { text, before, after } = shownPart(long, '')
    expect([text.length, before, after]).toEqual([5_000, 0, 995_006])
    expect(shownPart(long, 'missing')).toEqual({ text, before, after })
  })

  test('is drawn around the first match', () => {
    const { text, before, after } = shownPart(long, 'needle')
    expect(text.slice(190, 210)).toBe('aaaaaaaaaaNeedlebbbb')
    expect(before + text.length + after).toBe(long.length)
  })
})
