/**
 * The code blocks of a guide. The word after the language identifies a block: a file of the example whose text it repeats
 * (`examples/…`), or a file that the reader writes. Blocks of `sh` are commands, blocks of `text` their output.
 */
export type GuideBlock = Readonly<{ language: string; path: string | null; body: string }>

export const guideBlocks = (markdown: string): readonly GuideBlock[] =>
  [...markdown.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', path, body = '']) => ({ language, path: path ?? null, body }),
  )

export const isExcerpt = ({ path }: GuideBlock): boolean => path?.startsWith('examples/') === true

/** `…` matches any text. @returns whether a line of the output matches */
export const isPrinted = (output: string, line: string): boolean => {
  const parts = line
    .trim()
    .split('…')
    .map((part) =>
      part
        .trim()
        .split(/\s+/)
        .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('\\s+'),
    )
  return new RegExp(`^\\s*${parts.join('.*')}\\s*$`, 'm').test(output)
}

const END = '=== end of block ==='

/**
 * The commands and files of a guide as one script, as a reader would run them in one
 * terminal. The script prints a mark after each block of commands.
 * @returns the script
 */
export const scriptOf = (blocks: readonly GuideBlock[]): string =>
  blocks
    .filter((block) => !isExcerpt(block))
    .flatMap(({ language, path, body }) => {
      if (path !== null) {
        return [
          `mkdir -p "$(dirname '${path}')"\ncat > '${path}' <<'END_OF_FILE'\n${body}END_OF_FILE`,
        ]
      }
      // the node is already running
      if (language !== 'sh' || body.trim() === 'svc start') return []
      return [`${body}echo '${END}'`]
    })
    .join('\n')

export type Step = Readonly<{ commands: string; printed: string; expected: readonly string[] }>

/** Pairs the output of each block of commands with what the guide shows after it. */
export const stepsOf = (blocks: readonly GuideBlock[], output: string): readonly Step[] => {
  const printed = output.split(`${END}\n`)
  const steps: { commands: string; printed: string; expected: string[] }[] = []
  for (const { language, path, body } of blocks) {
    if (language === 'sh' && body.trim() !== 'svc start') {
      steps.push({ commands: body, printed: printed[steps.length] ?? '', expected: [] })
    }
    if (language === 'text' && path === null) {
      steps.at(-1)?.expected.push(...body.split('\n').filter((line) => line.trim() !== ''))
    }
  }
  return steps
}
