/**
 * The programs that run as a separate process, by path below internal/. cmd/build bundles each separately from the main
 * program, so that no other process loads what only they need.
 */
export const PART_SOURCES = {
  'read-pdf': 'pdf/reader-main.ts',
  'read-scan': 'ocr/reader-main.ts',
} as const
export type PartName = keyof typeof PART_SOURCES

/**
 * The V8 flag of the binary's parts. V8 accepts a code cache only under the flags with which it was made, so the
 * build sets this one too (cmd/build/code-cache.ts).
 */
export const PART_FLAG = '--disallow-code-generation-from-strings'

const isPart = (name: string): name is PartName => Object.hasOwn(PART_SOURCES, name)

/** @param word the hidden command that starts a part, `__read-pdf`. @returns null for any other word */
export const partOf = (word = ''): PartName | null => {
  const name = word.slice('__'.length)
  return word.startsWith('__') && isPart(name) ? name : null
}
