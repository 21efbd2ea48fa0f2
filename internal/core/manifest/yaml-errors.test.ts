import { describe, expect, it } from 'vitest'
import { readManifestSource } from './source.ts'

const faultsOf = (text: string): readonly string[] => {
  const read = readManifestSource(text, 'app.yaml')
  return read.ok ? [] : read.faults.map(({ path, message }) => `${path} ${message}`)
}

const INDENT =
  'The indentation of this line fits no line above it. The fields of one item begin in the same column.'
const DEEPER =
  'This line is indented too far, or the line above is wrong. The fields of one item begin in the same column.'
const quoted = (start: string, example = `${start}…`) =>
  `A text that begins with ${start} must be in quotes, such as "${example}".`
const COLON = 'A name is followed by a colon and a space, as in `key: orders`.'
const COMMA =
  'A comma is missing between two fields, or a text that contains ": " is not in quotes.'
const CONFLICT =
  'git marks a merge conflict here, from <<<<<<< to >>>>>>>. Keep the lines that you want, and delete the others and the marks.'

describe('an error of YAML', () => {
  it.each([
    ['key: m\nactions:\n  - key: a\n   entrypoint: b\n', `4:4 ${INDENT}`],
    ['a:\n  b:\n    c: 3\n   d: 5\n', `4:4 ${INDENT}`],
    ['a:\n    - key: a\n      b: c\n  - key: c\n', `4:3 ${INDENT}`],
    ['  key: m\nactions:\n  - key: a\n', `2:1 ${INDENT}`],
    ['key: m\nactions:\n  - key: a\n\n      entrypoint: b\n', `5:7 ${DEEPER}`],
    ['key: m\n actions:\n  - key: a\n', `2:2 ${DEEPER}`],
    ['a:\n  -key: a\n    b: 1\n', '2:3 A list item begins with "-" and a space.'],
    ['key: m\nactions:\n\t- key: a\n', '3:1 Tabs cannot indent a line. Use spaces.'],
  ])('%j is explained as wrong indentation', (text, fault) => {
    expect(faultsOf(text)).toEqual([`app.yaml:${fault}`])
  })

  it.each([
    ['s:\n  - cron: */5 * * * *\n    action: a\n', `2:11 ${quoted('*')}`],
    ['s:\n  - cron: * * * * *\n    action: a\n', `2:11 ${quoted('*')}`],
    ['s:\n  - { key: a, cron: * * * * *, b: c }\n', `2:21 ${quoted('*')}`],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of svc
    ['s:\n  - { key: a, input: { x: ${input.x} } }\n  - key: b\n', `2:27 ${quoted('${', '${…}')}`],
    ['a: @every 5m\nb: 1\n', `1:4 ${quoted('@')}`],
    ['a: %x\n', `1:4 ${quoted('%')}`],
    [
      'a: !results.x\n',
      `1:14 The tag !results.x has no meaning in a manifest. Remove it, or put a text that begins with ! in quotes.`,
    ],
    ['a: My app: best\nb: 1\n', '1:4 A text that contains ": " must be in quotes.'],
    ['a: { d: Does this: that, e: 1 }\n', `1:9 ${COMMA}`],
    ['a: { b: 1 c: 2 }\n', `1:9 ${COMMA}`],
    ['a: { b: "x" c: "y" }\n', `1:13 ${COMMA}`],
    ['a: { b: "x"\n  c: "y" }\n', `2:3 ${COMMA}`],
    ['a: ["x" "y"]\n', `1:9 ${COMMA}`],
    ['a:\n  - key: x\n    entrypoint a.ts\n', `3:5 ${COLON}`],
    ['a: [*.example.com]\n', `1:5 ${quoted('*')}`],
    ['a: &x 1\nb: *y\nc: *x\n', `2:4 ${quoted('*')}`],
    ['%YAML 1.2\na: 1\n', '2:1 Missing directives-end/doc-start indicator line.'],
    ["a: 'it's'\n", '1:8 The value ends before this. Put the whole text in quotes.'],
    ['a: 1\nname: "open\nb:\n  - c\n', '2:7 A quote begins here and does not end.'],
    ['a: 1\nb:\n  - key:a\n    c: b\n', `3:5 ${COLON}`],
    ['a: 1\nactions\n  - key: a\n', `2:1 ${COLON}`],
    ['b:\n  - { key: a, c: 1\n  - { key: c }\n', '3:3 A "}" is missing before this.'],
    ['b: [1, 2\nc: 3\n', '2:1 A "]" is missing before this.'],
    ['b: { c: 1 }}\nd: 1\n', '1:12 "}" cannot be here. Something before it has ended too early.'],
    [
      'b: "a\\qb"\n',
      '1:6 Invalid escape sequence \\q. Use single quotes, or write \\\\ for a backslash.',
    ],
  ])('%j is reported once, with the remedy', (text, fault) => {
    expect(faultsOf(text)).toEqual([`app.yaml:${fault}`])
  })

  it.each([
    ['key: m\n<<<<<<< HEAD\nname: A\n=======\nname: B\n>>>>>>> feature\nactions: []\n', '2:1'],
    ['key: m\r\nactions:\r\n<<<<<<< HEAD\r\n  - key: a\r\n=======\r\n>>>>>>> b\r\n', '3:1'],
    ['a: {\n<<<<<<< HEAD\n  b: 1\n=======\n  b: 2\n>>>>>>> b\n}\n', '2:1'],
  ])('%j is reported once, as a merge that is not resolved', (text, place) => {
    expect(faultsOf(text)).toEqual([`app.yaml:${place} ${CONFLICT}`])
  })

  it('is reported for each line that is wrong by itself', () => {
    expect(faultsOf('a: @x\nb: 1\nc: My app: best\n')).toEqual([
      `app.yaml:1:4 ${quoted('@')}`,
      'app.yaml:3:4 A text that contains ": " must be in quotes.',
    ])
  })
})

describe('a merge conflict', () => {
  it('is reported once in JSON', () => {
    const text = '{\n<<<<<<< HEAD\n  "key": "a"\n=======\n  "key": "b"\n>>>>>>> b\n}\n'
    const read = readManifestSource(text, 'app.json')
    expect(read).toEqual({ ok: false, faults: [{ path: 'app.json:2:1', message: CONFLICT }] })
  })

  it('may be part of a text', () => {
    const text = 'd: |\n  <<<<<<< HEAD\n  =======\n  >>>>>>> b\n'
    expect(faultsOf(text)).toEqual([])
  })
})
