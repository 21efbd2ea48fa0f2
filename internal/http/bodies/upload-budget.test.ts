import { expect, test } from 'vitest'
import { createUploadBudget } from './upload-budget.ts'

test('uploads of one owner leave a quarter of the memory to others', () => {
  const open = createUploadBudget(400)
  const uploads = Array.from({ length: 6 }, () => open('a'))
  const refused = uploads.filter((upload) => {
    try {
      upload.take(50)
      upload.take(30)
      return false
    } catch {
      return true
    }
  })
  expect(refused.length).toBeGreaterThan(0)
  const other = open('b')
  other.take(80)
  expect(() => open('c').take(80)).toThrow('Too many files')
  for (const upload of [...uploads, other]) upload.end()
  open('a').take(300)
  open('b').take(100)
})
