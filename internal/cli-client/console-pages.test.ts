import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { CONSOLE_PAGES, hasConsolePage, plainPages } from './console-pages.ts'

const PAGES = resolve(import.meta.dirname, '../../web/src/pages')

test('the pages are those of the console', () => {
  const sources = globSync('**/route.ts', { cwd: PAGES })
    .map((path) => readFileSync(join(PAGES, path), 'utf8'))
    .filter((source) => source.includes('workspaceRoute'))
  const paths = sources.flatMap((source) =>
    [...source.matchAll(/^ {2}path: '\/([^']*)'/gm)].map(([, path = '']) => path),
  )
  expect(CONSOLE_PAGES).toEqual(paths.filter((path) => path !== '').toSorted())
})

test.each(['jobs', 'apps/shop', 'apps/shop/actions/greet', 'flows/shop/order', 'schedules/new'])(
  '%s is a page',
  (address) => {
    expect(hasConsolePage(address)).toBe(true)
  },
)

test.each(['nopage', '', 'job', 'jobs/', '../x', 'jobs/../tokens', 'flows/shop', 'apps/a/b'])(
  '"%s" is none',
  (address) => {
    expect(hasConsolePage(address)).toBe(false)
  },
)

test('the list of pages leaves out those of a single thing', () => {
  expect(plainPages()).toContain('jobs')
  expect(plainPages().filter((page) => page.includes('$'))).toEqual([])
})
