import { expect, test } from 'vitest'
import { readCreator } from './creator.ts'

test('a person is shown by the e-mail address', () => {
  expect(readCreator({ created_by: 'ada@example.com' })).toEqual({
    kind: null,
    id: 'ada@example.com',
    name: 'ada@example.com',
  })
})

test('a customer has the name that the server gives, and none once it is deleted', () => {
  const created_by = 'customer:0196'
  expect(readCreator({ created_by, created_by_name: 'Acme' })).toEqual({
    kind: 'customer',
    id: '0196',
    name: 'Acme',
  })
  expect(readCreator({ created_by }).name).toBeNull()
})

test('a webhook is named by its key, colons included', () => {
  expect(readCreator({ created_by: 'webhook:shop/a:b' })).toEqual({
    kind: 'webhook',
    id: 'shop/a:b',
    name: 'shop/a:b',
  })
})
