import { expect, test } from 'vitest'
import type { AppFiles } from './app-files.ts'
import { type ReadFunctions, readFunctions } from './function-files.ts'
import { runSteps } from './steps.ts'

const encoder = new TextEncoder()

const appWith = (count: number, yaml: string) =>
  new Map(
    Array.from({ length: count }, (_, n) => [
      [`functions/f${n}/index.ts`, encoder.encode('export default () => 1')] as const,
      [`functions/f${n}/function.yaml`, encoder.encode(yaml)] as const,
    ]).flat(),
  )

const read = (files: AppFiles): ReadFunctions => runSteps(readFunctions(files))

test('as many faults as a person reads are reported, also of a text that is nothing but faults', () => {
  const { faults } = read(appWith(2, `[${',\n'.repeat(60_000)}]`))
  expect(faults).toHaveLength(100)
  expect(faults[0]?.path).toMatch(/^functions\/f0\/function\.yaml:2:/)
})

test('large function.yaml files are refused together, before all of them are read', () => {
  const yaml = `description: ${'x'.repeat(1_900)}\n${'# comment\n'.repeat(3_000)}`
  expect(read(appWith(8, yaml)).faults).toEqual([])
  const { functions, faults } = read(appWith(150, yaml))
  expect(functions.length).toBeLessThan(10)
  expect(faults).toEqual([
    {
      path: expect.stringMatching(/^functions\/f\d+\/function\.yaml$/),
      message: 'The function.yaml files of all functions are together larger than 256 KiB.',
    },
  ])
})
