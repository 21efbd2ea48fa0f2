import { expect, it } from 'vitest'
import { countTurns } from '../../../test/support/count-turns.ts'
import { planPackages } from './plan-packages.ts'

it('leaves turns to other work while it searches much code, and finds packages in every part', async () => {
  const line = 'const a = "b"\n'
  const code = `${line.repeat(200_000)}import "npm:left-pad@1.3.0"\n${line.repeat(200_000)}`
  const files = new Map([['big.ts', new TextEncoder().encode(code)]])
  const { result, turns } = await countTurns(() => planPackages(files))
  expect(result.npm).toMatchObject([{ name: 'left-pad', version: '1.3.0' }])
  expect(turns).toBeGreaterThanOrEqual(code.length / 800_000)
})
