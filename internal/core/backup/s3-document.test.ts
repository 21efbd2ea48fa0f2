import { expect, test } from 'vitest'
import { completionOf, elementOf, elementsOf } from './s3-document.ts'

test('elements are read at any depth, in order and decoded', () => {
  const xml =
    '<?xml version="1.0"?><R xmlns="x"><C><Key>a&amp;b</Key><ETag>&quot;1&#34;</ETag></C><C><Key>&#x41;&none;</Key></C></R>'
  expect(elementsOf(xml, 'Key')).toEqual(['a&b', 'A&none;'])
  expect(elementOf(xml, 'ETag')).toBe('"1"')
  expect(elementOf(xml, 'KeyCount')).toBeNull()
})

test('a text that is not XML has no elements', () => {
  expect(elementOf('<html>no</html>', 'Code')).toBeNull()
  expect(elementOf('&#x7fffff;', 'Code')).toBeNull()
})

test('parts are numbered from 1', () => {
  expect(completionOf(['"a"', '"b"'])).toBe(
    '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>&quot;a&quot;</ETag></Part><Part><PartNumber>2</PartNumber><ETag>&quot;b&quot;</ETag></Part></CompleteMultipartUpload>',
  )
})
