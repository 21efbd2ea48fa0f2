import { expect, test } from 'vitest'
import { readFunctions } from './function-files.ts'

const encoder = new TextEncoder()

const appWith = (count: number, yaml: string) =>
  new Map(
    Array.from({ length: count }, (_, n) => [
      [`functions/f${n}/index.ts`, encoder.encode('export default () => 1')] as const,
      [`functions/f${n}/function.yaml`, encoder.encode(yaml)] as const,
    ]).flat(),
  )

test('as many faults as a person reads are reported, also of a text that is nothing but faults', () => {
  const { faults } = readFunctions(appWith(2, `[${',\n'.repeat(60_000)}]`))
  expect(faults).toHaveLength(100)
  expect(faults[0]?.path).toMatch(/^functions\/f0\/function\.yaml:2:/)
})

test('large function.yaml files are refused together, before all of them are read', () => {
  const yaml = `description: ${'x'.repeat(1_900)}\n${'# comment\n'.repeat(3_000)}`
  expect(readFunctions(appWith(8, yaml)).faults).toEqual([])
  const { functions, faults } = readFunctions(appWith(150, yaml))
  expect(functions.length).toBeLessThan(10)
  expect(faults).toEqual([
    {
      path: expect.stringMatching(/^functions\/f\d+\/function\.yaml$/),
      message: 'The function.yaml files of all functions are together larger than 256 KiB.',
    },
  ])
})
