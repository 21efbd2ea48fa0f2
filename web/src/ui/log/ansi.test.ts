import { describe, expect, test } from 'vitest'
import { readAnsi, withoutAnsi } from './ansi.ts'

const shape = (line: string): readonly string[] =>
  readAnsi(line).map(({ text, tone, isBold }) => `${text}|${tone ?? ''}${isBold ? ' bold' : ''}`)

describe('a line of a log', () => {
  test.each([
    ['plain <b>text</b>', ['plain <b>text</b>|']],
    ['\u001b[32mgood\u001b[0m rest', ['good|green', ' rest|']],
    ['\u001b[1;31mbad\u001b[22m still\u001b[39m', ['bad|red bold', ' still|red']],
    ['\u001b[94mbright\u001b[m', ['bright|blue']],
    ['\u001b[38;5;31mtrue', ['true|']],
    ['\u001b[2J\u001b[Hcleared', ['cleared|']],
    ['\u001b]0;a title\u0007after', ['after|']],
    ['a\u0000b\u0007c', ['a|', 'b|', 'c|']],
    ['\ttab', ['\ttab|']],
    ['', []],
  ] as const)('%j', (line, spans) => {
    expect(shape(line)).toEqual(spans)
    const texts = readAnsi(line).map(({ text }) => text)
    expect(withoutAnsi(line)).toBe(texts.join(''))
  })
})
