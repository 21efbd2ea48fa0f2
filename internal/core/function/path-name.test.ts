import { expect, it } from 'vitest'
import { functionNameIn } from './path-name.ts'

it.each([
  ['/echo', 'echo'],
  ['/echo/', 'echo'],
  ['/%EC%95%88', '안'],
  ['/', ''],
  ['/echo/deeper', null],
  ['/%zz', null],
])('%s names %j', (path, name) => {
  expect(functionNameIn(path)).toBe(name)
})
