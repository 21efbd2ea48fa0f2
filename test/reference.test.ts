/**
 * The rules in docs/reference and the comments that cite them, as `[jobs 3.4]`, `[flows 9.3, 9.11]`, `[wire 1 to 6]`: every
 * citation refers to an existing rule or section, and every number occurs once and in order.
 */
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT, readSource } from './support/repository.ts'

/** All pages that a comment may cite, including those that are not written yet. */
const PAGES = [
  'access',
  'agents',
  'documents',
  'durable',
  'events',
  'flows',
  'functions',
  'jobs',
  'notifications',
  'relay',
  'schedules',
  'webhooks',
  'wire',
] as const

type Page = Readonly<{ path: string; text: string; sections: string[]; rules: string[] }>

const SECTION = /^## (\d+) \S/gm
const RULE = /^(?:<a id="([\d.]+)"><\/a>)?\*\*(\d+\.\d+)\*\* \S/gm

const readPage = (path: string): Page => {
  const text = readSource(path)
  return {
    path,
    text,
    sections: [...text.matchAll(SECTION)].map(([, number = '']) => number),
    rules: [...text.matchAll(RULE)].map(([, , number = '']) => number),
  }
}

const pages = new Map(
  globSync('docs/reference/*.md', { cwd: ROOT }).map((path) => [
    basename(path, '.md'),
    readPage(path),
  ]),
)

const numbersOf = (page: string): ReadonlySet<string> =>
  new Set([...(pages.get(page)?.sections ?? []), ...(pages.get(page)?.rules ?? [])])

/** [section, rule] of a number such as 3.4. */
const partsOf = (number: string): readonly number[] => number.split('.').map(Number)

const isInOrder = (numbers: readonly string[]): boolean =>
  numbers.every((number, at) => {
    const [section = 0, rule = 0] = partsOf(number)
    const [before = 0, ruleBefore = 0] = partsOf(numbers[at - 1] ?? '0.0')
    return section > before || (section === before && rule > ruleBefore)
  })

describe.each([...pages.values()])('$path', ({ text, sections, rules }) => {
  test('numbers its sections and rules once and in order', () => {
    expect(rules.length).toBeGreaterThan(0)
    expect(isInOrder(sections), sections.join(' ')).toBe(true)
    expect(isInOrder(rules), rules.join(' ')).toBe(true)
  })

  test('puts each rule into its section, behind an anchor of its number if it has one', () => {
    const misplaced: string[] = []
    let section = ''
    for (const line of text.split('\n')) {
      const [, heading] = /^## (\d+) /.exec(line) ?? []
      if (heading !== undefined) section = heading
      for (const [, anchor, number = ''] of line.matchAll(RULE)) {
        const isOwn = number.startsWith(`${section}.`)
        if (!isOwn || (anchor !== undefined && anchor !== number)) misplaced.push(line.slice(0, 60))
      }
    }
    expect(misplaced).toEqual([])
  })

  test('links to anchors that there are', () => {
    const anchorsOf = (body: string): ReadonlySet<string> =>
      new Set([
        ...[...body.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
        ...[...body.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) =>
          heading
            .toLowerCase()
            .replaceAll(/[^\w\- ]/g, '')
            .replaceAll(' ', '-'),
        ),
      ])
    const lost = [...text.matchAll(/\]\(([\w-]+\.md)?#([^)]+)\)/g)].filter(
      ([, to, anchor = '']) => {
        const target = to === undefined ? text : pages.get(basename(to, '.md'))?.text
        return target === undefined || !anchorsOf(target).has(anchor)
      },
    )
    expect(lost.map(([link]) => link)).toEqual([])
  })
})

const SOURCES = ['{internal,cmd,sdk,test}/**/*.ts', 'internal/**/*.sql', 'web/src/**/*.{ts,tsx}']
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .filter((path) => path !== 'test/reference.test.ts')

const CITATION = new RegExp(`\\[(${PAGES.join('|')}) (\\d[^\\]]*)\\]`, 'g')

type Citation = Readonly<{ source: string; page: string; number: string }>

/** A comment may break its line inside a citation. */
const citationsOf = (source: string): readonly Citation[] =>
  [
    ...readSource(source)
      .replaceAll(/\n\s*(?:\*|\/\/|--)\s*/g, ' ')
      .matchAll(CITATION),
  ].flatMap(([, page = '', numbers = '']) =>
    numbers.split(/, | to /).map((number) => ({ source, page, number })),
  )

describe('comments', () => {
  const citations = SOURCES.flatMap(citationsOf)

  test('cite rules and sections that there are', () => {
    const lost = citations.filter(({ page, number }) => !numbersOf(page).has(number))
    expect(lost.map(({ source, page, number }) => `${source}: [${page} ${number}]`)).toEqual([])
  })

  test('cite the pages of jobs, flows, schedules and the wire', () => {
    const cited = new Set(citations.map(({ page }) => page))
    expect([...cited]).toEqual(expect.arrayContaining(['jobs', 'flows', 'schedules', 'wire']))
  })
})
