/** Writes a long text as JSON in parts. Pure. */

const isPair = (text: string, at: number): boolean => (text.codePointAt(at) ?? 0) > 0xffff

/** Yields the JSON of a text in parts without quotes, each of which can be parsed alone. @param most characters of a part */
export function* jsonParts(text: string, most: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let until = Math.min(from + most, text.length)
    // a character of two code units must stay whole, or else both would be escaped
    if (isPair(text, until - 1)) until += 1
    yield JSON.stringify(text.slice(from, until)).slice(1, -1)
    from = until
  }
}
