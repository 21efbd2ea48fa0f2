/** The console's cache identifies data only by its key: a page that reads different data under the same key breaks the next one. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const CONSOLE = resolve(import.meta.dirname, '../web/src')
const QUERY =
  /queryKey: (\[[^\n]*?\]),\s*queryFn: ([\s\S]*?),?\n\s*(?:enabled|select|staleTime|retry|refetch\w+|placeholderData|getNextPageParam|initialPageParam|gcTime|\}\))/g

/** The text without line breaks, with limits and the client of a page without a workspace under common names. */
const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\bMOST\w*/g, 'MOST')
    .replaceAll("apiOf('')", 'api')

test('equal keys of queries stand for equal data', () => {
  const queries = globSync('**/*.{ts,tsx}', { cwd: CONSOLE }).flatMap((file) => {
    const text = readFileSync(join(CONSOLE, file), 'utf8')
    return [...text.matchAll(QUERY)].map(([, key = '', read = '']) => ({ key, read: plain(read) }))
  })
  expect(queries.length).toBeGreaterThan(40)
  const byKey = Map.groupBy(queries, ({ key }) => key)
  const different = [...byKey].filter(([, all]) => new Set(all.map(({ read }) => read)).size > 1)
  expect(different).toEqual([])
})
