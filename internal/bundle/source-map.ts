/** The source map of a bundle. Pure. */
import { FROM_APP } from './bundle-warnings.ts'

/** The field of a source map that may have megabytes. Its characters need no escape. */
const MAPPINGS = '"mappings": "'

/**
 * Renames sources to the author's paths inside the app. The mappings are not parsed, because that takes 0.1 s for 20 MB.
 * @param linesBefore lines added before the code
 */
export const nameSources = (sourceMap: string, linesBefore: number): string => {
  const from = sourceMap.indexOf(MAPPINGS) + MAPPINGS.length
  const until = sourceMap.indexOf('"', from)
  const map: { sources?: unknown } = JSON.parse(sourceMap.slice(0, from) + sourceMap.slice(until))
  const sources = Array.isArray(map.sources) ? map.sources.map(String) : []
  const named = { ...map, sources: sources.map((source) => source.replace(FROM_APP, '')) }
  const mappings = ';'.repeat(linesBefore) + sourceMap.slice(from, until)
  return JSON.stringify(named).replace('"mappings":""', () => `"mappings":"${mappings}"`)
}
