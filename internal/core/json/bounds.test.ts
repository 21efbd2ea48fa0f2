import { describe, expect, it } from 'vitest'
import { createJsonBounds, MAX_JSON_KEYS, MAX_JSON_VALUES } from './bounds.ts'

const SEED = 7
/** Characters. Parts end inside strings and escapes. */
const PART = 1_001
const excessOf = (text: string) => {
  JSON.parse(text)
  const bounds = createJsonBounds(text, SEED)
  for (;;) {
    const found = bounds.advance(PART)
    if (found !== null) return found
  }
}

const dictionary = (keys: number, prefix = 'key'): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, n) => [`${prefix}${n}`, n])))

describe('the values of a JSON text', () => {
  it('are counted with lists and objects', () => {
    expect(excessOf(`[${'[],'.repeat(MAX_JSON_VALUES / 2 - 2)}[]]`)).toBe('none')
    expect(excessOf(`[${'[],'.repeat(MAX_JSON_VALUES / 2)}[]]`)).toBe('values')
    expect(excessOf(`[${'1,'.repeat(MAX_JSON_VALUES)}{}]`)).toBe('values')
  })

  it('are not looked for inside strings', () => {
    const text = ',[{:\\"'.repeat(MAX_JSON_VALUES)
    expect(excessOf(`{"a\\\\":"${text}","b":"${text}"}`)).toBe('none')
  })
})

describe('the keys of a JSON text', () => {
  it('of a large dictionary are accepted', () => {
    expect(excessOf(dictionary(50_000))).toBe('none')
  })

  it.each([
    ['of one object', dictionary(MAX_JSON_KEYS * 1.1)],
    [
      'of small objects',
      `[${Array.from({ length: MAX_JSON_KEYS / 9 }, (_, n) => dictionary(10, `of${n}_`)).join()}]`,
    ],
    ['of equal dictionaries', `[${Array.from({ length: 3 }, () => dictionary(30_000)).join()}]`],
  ])('are counted over the whole text: %s', (_, text) => {
    expect(excessOf(text)).toBe('keys')
  })

  it('count once when rows of a list have the same', () => {
    const row = dictionary(10)
    expect(excessOf(`[${`${row},`.repeat(50_000)}${row}]`)).toBe('none')
  })

  it('count again in another order, which makes each object a shape of its own', () => {
    const text = (keys: readonly string[]) => `{${keys.map((key) => `"${key}":0`).join()}}`
    const permutations = (left: readonly string[]): readonly string[][] =>
      left.length === 0
        ? [[]]
        : left.flatMap((name) =>
            permutations(left.filter((other) => other !== name)).map((rest) => [name, ...rest]),
          )
    expect(
      excessOf(
        `[${permutations([...'abcdefgh'])
          .map(text)
          .join()}]`,
      ),
    ).toBe('keys')
  })
})
