import process from 'node:process'
import { expect, test, vi } from 'vitest'
import { showProgress } from './print.ts'
import { barText } from './progress-bar.ts'

test.each([
  [0, 10, `[${' '.repeat(30)}]  0/10`],
  [500, 1_000, `[${'#'.repeat(15)}${' '.repeat(15)}]  500/1,000`],
  [12, 10, `[${'#'.repeat(30)}]  12/10`],
  [0, 0, `[${'#'.repeat(30)}]  0/0`],
])('%i of %i', (done, total, text) => {
  expect(barText(done, total)).toBe(text)
})

test('the bar is shorter on a narrow terminal, and keeps its numbers', () => {
  expect(barText(5_000, 20_000, 39)).toBe(`[${'#'.repeat(6)}${' '.repeat(17)}]  5,000/20,000`)
  expect(barText(5_000, 20_000, 10)).toBe('[]  5,000/20,000')
})

test('a line of progress never wraps, because its first part would remain', () => {
  const { stderr } = process
  const [isTTY, columns] = [stderr.isTTY, stderr.columns]
  Object.assign(stderr, { isTTY: true, columns: 10 })
  const write = vi.spyOn(stderr, 'write').mockReturnValue(true)
  showProgress('0123456789')
  const [[written] = []] = write.mock.calls
  write.mockRestore()
  Object.assign(stderr, { isTTY, columns })
  expect(written).toBe('\r\u001b[K012345678')
})
