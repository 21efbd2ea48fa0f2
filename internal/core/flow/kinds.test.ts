/** Checks the record of kinds: shared fields are the same field, and the reference lists each kind. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { COMMON_FIELDS } from './fields.ts'
import { listKinds } from './kinds.ts'

/** Some kinds require a field that is optional in others. */
const withoutOptional = (field: unknown): unknown =>
  field instanceof z.ZodOptional ? field.unwrap() : field

it('has one meaning for each field, whichever kinds share it', () => {
  const fields = listKinds().flatMap((kind) => Object.entries(kind.fields))
  const meanings = Map.groupBy(fields, ([name]) => name)
  const ambiguous = [...meanings].filter(
    ([, all]) => new Set(all.map(([, field]) => withoutOptional(field))).size > 1,
  )
  expect(ambiguous.map(([name]) => name)).toEqual([])
  expect([...meanings.keys()].filter((name) => name in COMMON_FIELDS)).toEqual([])
})

it('is what the reference lists, in its order', () => {
  const path = join(import.meta.dirname, '../../../docs/reference/flows.md')
  const [, section = ''] =
    /\n## 2 Step kinds\n([\s\S]*?)\n## 3 /.exec(readFileSync(path, 'utf8')) ?? []
  const listed = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(listed.filter((name) => name !== 'kind')).toEqual(listKinds().map(({ name }) => name))
})
