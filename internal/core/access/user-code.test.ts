import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeUserCode, parseUserCode, showUserCode, USER_CODE_RANDOM_BYTES } from './user-code.ts'

test('a code is found again however it was typed', () => {
  for (let count = 0; count < 200; count += 1) {
    const code = makeUserCode(randomBytes(USER_CODE_RANDOM_BYTES))
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
    const shown = showUserCode(code)
    for (const typed of [
      shown,
      shown.toLowerCase(),
      code,
      ` ${code.slice(0, 3)} ${code.slice(3)} `,
    ]) {
      expect(parseUserCode(typed)).toBe(code)
    }
  }
})

test('another text is not a code', () => {
  for (const text of ['', 'WDJB-MJH', 'WDJB-MJHTT', 'WDJB-MJHA', '12345678']) {
    expect(parseUserCode(text)).toBeNull()
  }
})
