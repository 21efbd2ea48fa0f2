import { expect, test } from 'vitest'
import { isSameOrigin } from './same-origin.ts'

const ownOrigins = ['https://svc.example.com']

test('our own page passes, by either header', () => {
  const origin = 'https://svc.example.com'
  expect(isSameOrigin({ fetchSite: 'same-origin', origin: undefined, ownOrigins })).toBe(true)
  expect(isSameOrigin({ fetchSite: undefined, origin, ownOrigins })).toBe(true)
})

test('another page does not, nor a sister site, a frame without an origin, or neither header', () => {
  for (const fetchSite of ['cross-site', 'same-site', 'none', '']) {
    expect(isSameOrigin({ fetchSite, origin: ownOrigins[0], ownOrigins })).toBe(false)
  }
  for (const origin of [
    'https://evil.example',
    'https://svc.example.com.evil.example',
    'null',
    '',
    undefined,
  ]) {
    expect(isSameOrigin({ fetchSite: undefined, origin, ownOrigins })).toBe(false)
  }
})
