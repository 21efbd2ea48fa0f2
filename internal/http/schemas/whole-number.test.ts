import { describe, expect, it } from 'vitest'
import { wholeNumber } from './whole-number.ts'

const number = wholeNumber(-5, 500)

describe('a whole number in a query', () => {
  it.each([
    ['1', 1],
    ['007', 7],
    ['500', 500],
    ['-5', -5],
  ])('%s is read', (text, value) => {
    expect(number.parse(text)).toBe(value)
  })

  it.each([
    '1e1',
    '0x10',
    '0b1',
    '1.0',
    '1.5',
    '+1',
    ' 1',
    '1 ',
    '1_0',
    '',
    '-',
    'ten',
    'Infinity',
  ])('%j is refused', (text) => {
    const { error } = number.safeParse(text)
    const refused = { message: 'must be a whole number from -5 to 500' }
    expect(error?.issues).toMatchObject([refused])
  })

  it.each(['-6', '501', '9'.repeat(400)])('%s is out of range', (text) => {
    expect(number.safeParse(text).error?.issues[0]?.message).toBe(
      'must be a whole number from -5 to 500',
    )
  })
})
