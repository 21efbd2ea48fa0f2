/**
 * The programs that run in a process of their own, by path below internal/. cmd/build bundles each apart from the main
 * program, so that no other process loads what only they need.
 */
export const PART_SOURCES = {
  'read-pdf': 'pdf/reader-main.ts',
  'read-scan': 'ocr/reader-main.ts',
} as const
export type PartName = keyof typeof PART_SOURCES
