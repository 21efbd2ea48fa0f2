import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../web/src')

/** Words that no Korean text of the console uses, and what it uses instead for the same thing. */
const REPLACED = [
  [/제거/, '삭제'],
  [/고르세요/, '선택하세요'],
  [/(?<![\w./:])git(?![\w@:/])/, 'Git'],
] as const

test('Korean texts of the console have one word for one thing', () => {
  const found = globSync('**/*.{ts,tsx}', { cwd: ROOT }).flatMap((file) => {
    const korean = readFileSync(resolve(ROOT, file), 'utf8').matchAll(
      /(['`])[^'`\n]*[가-힣][^'`\n]*\1/g,
    )
    return [...korean].flatMap(([text]) =>
      REPLACED.filter(([word]) => word.test(text)).map(([, use]) => `${file}: ${text}: say ${use}`),
    )
  })
  expect(found).toEqual([])
})
