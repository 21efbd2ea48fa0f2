import { expect, test } from 'vitest'
import {
  A4,
  firstPage,
  type Mark,
  type Parsed,
  pageOf,
  placeOf,
  titleParts,
  unreadOf,
} from './entries.ts'

test('an entry’s id names its page', () => {
  expect(pageOf('gap:p3:r12')).toBe(3)
  expect(pageOf('summary_owner:p10:r1')).toBe(10)
  expect(pageOf('gap')).toBeNull()
})

test('boxes keep their places, however large the page is drawn', () => {
  const box = { left: 0, top: A4.height / 2, right: A4.width, bottom: A4.height }
  expect(placeOf(box, A4)).toEqual({ left: '0%', top: '50%', width: '100%', height: '50%' })
})

test('the first page is the first with something on it', () => {
  const on = (page: number): Mark => ({
    id: `gap:p${page}:r1`,
    page,
    box: { left: 0, top: 0, right: 1, bottom: 1 },
    isStruck: false,
    label: '1',
  })
  expect(firstPage([on(4), on(3)])).toBe(3)
  expect(firstPage([])).toBe(1)
})

test('what was not read keeps its page and place', () => {
  const unread = [{ page: 2, box: [1, 2, 3, 4], text: '안내문' }]
  const parsed = { data: { diagnostics: { unread } } } as unknown as Parsed
  const box = { left: 1, top: 2, right: 3, bottom: 4 }
  expect(unreadOf(parsed)).toEqual([{ page: 2, box, text: '안내문' }])
})

test('a title is its single values, and its lists that hold something', () => {
  const title = {
    property_type: 'land',
    address: 'Seoul',
    land_type: null,
    land_area: '12㎡',
    land_entries: [],
  } as const
  expect(titleParts(title)).toEqual({
    values: [
      ['property_type', 'land'],
      ['address', 'Seoul'],
      ['land_area', '12㎡'],
    ],
    lists: [],
  })
})
