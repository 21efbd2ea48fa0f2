/** Replaces places in a bundle by the author's file and line. */
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'

const BUNDLE_PLACE = /svc-bundle:[^\s:()]+:(\d+):(\d+)/g

const mentionsBundle = (text: string): boolean => text.includes('svc-bundle:')

export type StackTraceMapper = (text: string) => string

const openMap = (sourceMap: string): TraceMap | null => {
  try {
    return new TraceMap(sourceMap)
  } catch {
    return null
  }
}

/**
 * Creates the mapper of one bundle. It decodes the map with the first text
 * that needs it. Without a usable map, texts stay unchanged.
 * @param sourceMap JSON as esbuild wrote it
 */
export const createStackTraceMapper = (sourceMap: string): StackTraceMapper => {
  let map: TraceMap | null | undefined
  return (text) => {
    if (!mentionsBundle(text)) return text
    map ??= openMap(sourceMap)
    const opened = map
    if (opened === null) return text
    return text.replace(BUNDLE_PLACE, (place, line: string, column: string) => {
      if (Number(line) < 1) return place
      // V8 counts columns from 1, source maps from 0
      const at = { line: Number(line), column: Math.max(0, Number(column) - 1) }
      const original = originalPositionFor(opened, at)
      if (original.source === null) return place
      return `${original.source}:${original.line}:${original.column + 1}`
    })
  }
}
