import { expect, test } from 'vitest'
import { bulkMessages } from './messages.ts'

test('counts of many jobs have their digits in groups', () => {
  const { en, ko } = bulkMessages
  expect(en.selected(1_000)).toBe('1,000 selected')
  expect(en.progress(999, 12_345)).toBe('999 of 12,345 done.')
  expect(ko.matched(12_345)).toBe('필터에 맞는 작업: 12,345개')
})
