import { expect, test } from 'vitest'
import { parseFunctionYaml } from './definition.ts'

test('an unknown field of function.yaml is named at its own place', () => {
  const text = 'timeoutS: x\nfoo: 1\nbar: 2\n'
  expect(parseFunctionYaml('hello', text, 'function.yaml')).toEqual({
    ok: false,
    faults: [
      { path: 'function.yaml:1:1 timeoutS', message: 'must be a whole number from 1 to 300.' },
      ...['foo', 'bar'].map((key, at) => ({
        path: `function.yaml:${at + 2}:1 ${key}`,
        message: `${key} is not a field of function.yaml. Remove it, or correct its spelling.`,
      })),
    ],
  })
})
