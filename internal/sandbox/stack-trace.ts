/** Names the author's file and line where a text names a place in a bundle. */
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'

const BUNDLE_PLACE = /svc-bundle:[^\s:()]+:(\d+):(\d+)/g

export const mentionsBundle = (text: string): boolean => text.includes('svc-bundle:')

/** @param sourceMap JSON as esbuild wrote it */
export const mapStackTrace = (text: string, sourceMap: string): string => {
  if (!mentionsBundle(text)) return text
  const map = new TraceMap(sourceMap)
  return text.replace(BUNDLE_PLACE, (place, line: string, column: string) => {
    // V8 counts columns from 1, source maps from 0
    const original = originalPositionFor(map, { line: Number(line), column: Number(column) - 1 })
    if (original.source === null) return place
    return `${original.source}:${original.line}:${original.column + 1}`
  })
}
