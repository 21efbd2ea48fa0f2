import { describe, expect, test } from 'vitest'
import { mergePages, type Page } from './merge-pages.ts'

type Row = Readonly<{ id: string; status: string }>

const row = (id: string, status = 'running'): Row => ({ id, status })
const page = (...items: readonly Row[]): Page<Row> => ({ items, pagination: { next_cursor: null } })
const merge = (pages: readonly Page<Row>[], head: readonly Row[], withFresh = true) => {
  const { rows, fresh, hasGap } = mergePages(pages, head, { keyOf: ({ id }) => id, withFresh })
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

  test('is the head alone before a page has come', () => {
    expect(merge([], [row('a')])).toEqual({ rows: ['a running'], fresh: 1, hasGap: false })
  })
})
