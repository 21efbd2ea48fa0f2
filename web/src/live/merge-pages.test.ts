import { describe, expect, test } from 'vitest'
import { mergePages, type Page, refreshRows } from './merge-pages.ts'

type Row = Readonly<{ id: string; status: string }>

const row = (id: string, status = 'running'): Row => ({ id, status })
const page = (...items: readonly Row[]): Page<Row> => ({
  items,
  pagination: { next_cursor: 'more' },
})
const keyOf = ({ id }: Row): string => id
const merge = (pages: readonly Page<Row>[], head: readonly Row[], withFresh = true) => {
  const { rows, fresh, hasGap } = mergePages(pages, page(...head), { keyOf, withFresh })
  return { rows: rows.map(({ id, status }) => `${id} ${status}`), fresh, hasGap }
}

describe('a list whose head is read again', () => {
  test('puts new rows first and newer versions where the old ones stood', () => {
    const pages = [page(row('c'), row('b')), page(row('a'))]
    expect(merge(pages, [row('d'), row('c', 'success'), row('b')])).toEqual({
      rows: ['d running', 'c success', 'b running', 'a running'],
      fresh: 1,
      hasGap: false,
    })
  })

  test('only counts new rows while the reader is further down', () => {
    expect(merge([page(row('a'))], [row('b'), row('a', 'success')], false)).toEqual({
      rows: ['a success'],
      fresh: 1,
      hasGap: false,
    })
  })

  test('shows no new rows that leave others out between', () => {
    expect(merge([page(row('a'))], [row('z'), row('y')])).toEqual({
      rows: ['a running'],
      fresh: 2,
      hasGap: true,
    })
  })

  test('shows a row once that moved from page to page', () => {
    expect(merge([page(row('b'), row('a')), page(row('a'))], []).rows).toEqual([
      'b running',
      'a running',
    ])
  })

  test('leaves out rows that were deleted or no longer match its filters', () => {
    const pages = [page(row('e'), row('d'), row('c')), page(row('b'), row('a'))]
    expect(merge(pages, [row('d')]).rows).toEqual([
      'd running',
      'c running',
      'b running',
      'a running',
    ])
    expect(merge(pages, [row('f'), row('d'), row('b')]).rows).toEqual([
      'f running',
      'd running',
      'b running',
      'a running',
    ])
  })

  test('has no rows but those of the head if the head is the whole list', () => {
    const pages = [page(row('c'), row('b')), page(row('a'))]
    const head = { items: [row('b')], pagination: { next_cursor: null } }
    const { rows, hasGap } = mergePages(pages, head, { keyOf, withFresh: false })
    expect([rows.map(keyOf), hasGap]).toEqual([['b'], false])
    const none = { items: [], pagination: { next_cursor: null } }
    expect(mergePages(pages, none, { keyOf, withFresh: true }).rows).toEqual([])
  })

  test('refreshes rows that new ones pushed out of the head', () => {
    const rows = [row('d'), row('c'), row('b'), row('a')]
    const again = page(row('c', 'success'), row('a', 'success'), row('0'))
    expect(refreshRows(rows, again, { keyOf, from: 1 })).toEqual([
      row('d'),
      row('c', 'success'),
      row('a', 'success'),
    ])
  })

  test('is the head alone before a page has come', () => {
    expect(merge([], [row('a')])).toEqual({ rows: ['a running'], fresh: 1, hasGap: false })
  })
})
