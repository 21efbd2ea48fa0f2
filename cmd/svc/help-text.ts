/** Reads the help of commands, because yargs does not list commands that load when they are used. */

/** @returns the help of the command that these words name, as printed */
export type ReadHelp = (words: readonly string[]) => Promise<string>

/** The subcommands of these words, in the order of their help; lines with its examples begin in the same way. */
export const commandsIn = (help: string, words: readonly string[]): readonly string[] => {
  const lines = help.split('\n')
  const at = lines.indexOf('Commands:')
  if (at === -1) return []
  const parent = `  ${['svc', ...words].join(' ')} `
  const below = lines.slice(at, lines.indexOf('', at)).filter((line) => line.startsWith(parent))
  return below.flatMap((line) => /^[a-z][a-z-]*/.exec(line.slice(parent.length))?.[0] ?? [])
}

const flagIn = (line: string): string | undefined => /^ +(?:-\w, )?(--[a-z][\w-]*)/.exec(line)?.[1]

/** The flags that a command lists. An example may begin with one of them again. */
export const flagsIn = (help: string): readonly string[] => [
  ...new Set(help.split('\n').flatMap((line) => flagIn(line) ?? [])),
]

/** The choices of a flag; empty if it takes any value, null if it takes none or the command does not list it. */
export const choicesIn = (help: string, flag: string): readonly string[] | null => {
  const lines = help.split('\n')
  const at = lines.findIndex((line) => flagIn(line) === flag)
  if (at === -1) return null
  const after = lines.slice(at + 1)
  const end = after.findIndex((line) => line === '' || flagIn(line) !== undefined)
  const text = [lines[at], ...after.slice(0, end)].join(' ')
  if (text.includes('[boolean]')) return null
  const choices = /\[choices: ([^\]]+)\]/.exec(text)?.[1] ?? ''
  return [...choices.matchAll(/"([^"]+)"/g)].flatMap(([, choice]) => choice ?? [])
}

/** The usage of the command: the first line of its help. */
export const usageIn = (help: string): string => {
  const [line = ''] = help.split('\n')
  return line.replace(/ \[options\]$/, '')
}
