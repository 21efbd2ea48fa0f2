import { describe, expect, test } from 'vitest'
import { describeShare, divideFiles, filesOutOfTurn, SLOW_S, shareOf } from './shares.ts'
import { readSlowFiles } from './slow-first.ts'

const seconds = readSlowFiles()
const shares = divideFiles(seconds)
const totalOf = (files: readonly string[]): number =>
  files.reduce((sum, path) => sum + (seconds[path] ?? 0), 0)

describe('the shares of the slow files', () => {
  test('have each slow file once, and none that every run has', () => {
    const files = shares.flat()
    expect(new Set(files).size).toBe(files.length)
    expect(files).toContain('test/console/jobs.test.ts')
    expect(files).not.toContain('test/escape/escape.test.ts')
    expect(files.filter((path) => (seconds[path] ?? 0) < SLOW_S)).toEqual([])
  })

  test('take about the same time', () => {
    const totals = shares.map(totalOf)
    expect(Math.max(...totals) - Math.min(...totals)).toBeLessThan(0.05 * Math.max(...totals))
  })

  test('leave out what the others have, and nothing if all are wanted', () => {
    expect(filesOutOfTurn('2', seconds)).toEqual([0, 2, 3].flatMap((at) => shares[at] ?? []))
    expect(filesOutOfTurn('all', seconds)).toEqual([])
    expect(describeShare('2')).toMatch(/share 2 of 4/)
  })

  test('are chosen by the commit', () => {
    const chosen = ['0', '1', '2', 'f'].map((digit) => shareOf(digit.padStart(8, '0')))
    expect(chosen).toEqual([1, 2, 3, 4])
    expect(filesOutOfTurn('commit', seconds).length).toBeGreaterThan(0)
  })

  test.each(['0', '5', '1.5', 'some'])('refuse TEST_SHARE=%s', (wanted) => {
    expect(() => filesOutOfTurn(wanted, seconds)).toThrow(/TEST_SHARE is a number from 1 to 4/)
  })
})
