import { describe, expect, it } from 'vitest'
import { countTurns } from '../../../test/support/count-turns.ts'
import { readCallJson } from './read-json.ts'

const MAX_BYTES = 4_000_000
const keys = Array.from({ length: 70_000 }, (_, n) => `"key${n}":${n}`)

describe('the JSON that a script passes on', () => {
  it.each([
    ['nests deeper than 64 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['holds more than 1000000 values', `[${'[],'.repeat(600_000)}0]`],
    ['holds more than 60000 different keys', `{${keys.join()}}`],
    ['holds a number that is too large', '{"a":[-1e999]}'],
    ['holds a number that is too large', `[${'0,'.repeat(400_000)}1e999]`],
    ['is not valid JSON', '{"a":}'],
    ['is not valid JSON', `[${'0,'.repeat(400_000)}]`],
  ])('is refused when it %s', async (reason, json) => {
    const refused = { kind: 'invalid', code: 'malformed_json' }
    const reading = readCallJson(json, 'input', MAX_BYTES)
    await expect(reading).rejects.toMatchObject(refused)
    await expect(reading).rejects.toThrow(`The input ${reason}`)
  })

  it('is measured in UTF-8', async () => {
    expect(await readCallJson('"éé"', 'data', 6)).toBe('éé')
    await expect(readCallJson('"ééé"', 'data', 6)).rejects.toMatchObject({ kind: 'too_large' })
  })

  it('is read and parsed in turns', async () => {
    const json = `[${'0,'.repeat(450_000)}0]`
    const { result, turns } = await countTurns(() => readCallJson(json, 'input', MAX_BYTES))
    expect(result).toHaveLength(450_001)
    expect(turns).toBeGreaterThanOrEqual(10)
  })

  it('leaves turns to other work between the parts of texts that arrive together', async () => {
    const json = `[${'0,'.repeat(450_000)}0]`
    const readings = () => Array.from({ length: 5 }, () => readCallJson(json, 'input', MAX_BYTES))
    const { turns } = await countTurns(() => Promise.all(readings()))
    expect(turns).toBeGreaterThanOrEqual(5 * 10)
  })
})
