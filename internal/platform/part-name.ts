/**
 * The programs that run in a process of their own, below internal/. cmd/build bundles each for the binary, apart from the
 * main program: what only they need is neither read nor kept by any other process.
 */
export const PART_SOURCES = {
  'read-pdf': 'pdf/reader-main.ts',
  'read-scan': 'ocr/reader-main.ts',
} as const
export type PartName = keyof typeof PART_SOURCES
