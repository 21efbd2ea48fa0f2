import { expect, it } from 'vitest'
import { pageLanguage } from './page-language.ts'

it.each([
  ['ko', 'ko'],
  ['ko-KR,ko;q=0.9,en-US;q=0.8', 'ko'],
  ['en-US,en;q=0.9,ko;q=0.8', 'en'],
  ['de-DE, de;q=0.9, ko;q=0.5, en;q=0.4', 'ko'],
  ['en;q=0.2, ko;q=0.7', 'ko'],
  ['ko;q=0, en', 'en'],
  ['fr', 'en'],
  ['*', 'en'],
  [';;q=x,,', 'en'],
  [undefined, 'en'],
])('a browser that asks for %s is answered in %s', (asked, language) => {
  expect(pageLanguage(asked)).toBe(language)
})
