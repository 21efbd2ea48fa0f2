/** Pure: lines so far, of which the last may be open, and the text that comes next. */
export const splitLines = (lines: readonly string[], text: string): readonly string[] => {
  const [first = '', ...others] = text.split('\n')
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${first}`, ...others]
}
