import { expect, test } from 'vitest'
import { parseRefs } from './list-refs.ts'

const OID = 'a'.repeat(40)
const encode = (lines: readonly string[]): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))

test('the branches of a remote and its default one are read in turns, however many there are', async () => {
  const names = Array.from({ length: 68_000 }, (_, n) => `feature/${n}`)
  const head = ['ref: refs/heads/feature/7\tHEAD', `${OID}\tHEAD`]
  let turns = 0
  const output = encode([...head, ...names.map((name) => `${OID}\trefs/heads/${name}`)])
  const refs = await parseRefs(output, async () => {
    turns += 1
  })
  expect(refs).toEqual({ branches: names, defaultBranch: 'feature/7' })
  expect(turns).toBeGreaterThanOrEqual(Math.floor(output.length / 140_000))
})

test('a remote without a commit has no branches', async () => {
  const none = { branches: [], defaultBranch: null }
  expect(await parseRefs(new Uint8Array(0), async () => undefined)).toEqual(none)
})
