import { expect, test } from 'vitest'
import { forTerminal, printText } from './print.ts'

const terminal = { isTTY: true }

test.each([
  [
    'a colour stays',
    '\u001b[1;31mred\u001b[0m\tand\nplain',
    '\u001b[1;31mred\u001b[0m\tand\nplain',
  ],
  ['a clipboard is not written', 'a\u001b]52;c;cm0gLXJm\u0007b', 'a]52;c;cm0gLXJmb'],
  ['no line is replaced', 'failed\r\u001b[2K\u001b[1Asuccess', 'failed[2K[1Asuccess'],
  ['nor by controls of one character', '\u009b2Ja\u0008b\u007f', '2Jab'],
])('of the output of a job on a terminal, %s', (_, text, shown) =>
  expect(forTerminal(text, terminal)).toBe(shown),
)

test('a program gets the output of a job as it is', () => {
  expect(forTerminal('\u001b]0;title\u0007', { isTTY: false })).toBe('\u001b]0;title\u0007')
})

test.each([
  [true, 'a\u001b[31mred\u001b[0m[3\n'],
  [false, 'a\u001b[31mred\u001b[0m\u001b[3\n'],
])('a colour that two texts divide stays whole (on a terminal: %s)', (isTTY, shown) => {
  let written = ''
  const stream = { isTTY, write: (text: string) => (written += text) }
  for (const text of ['a\u001b', '[3', '1mred\u001b[0', 'm', '\u001b[3', '\n'])
    printText(text, stream)
  expect(written).toBe(shown)
})
