import { expect, test } from 'vitest'
import { readTraceparent, traceFields, withSampled } from './traceparent.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

test.each([
  [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
  [`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
  // a later version may have more fields
  [`cc-${TRACE}-${SPAN}-01-more`, `00-${TRACE}-${SPAN}-01`],
])('%s is read', (header, read) => {
  expect(readTraceparent(header)).toBe(read)
})

test.each([
  undefined,
  '',
  TRACE,
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
])('%s counts as absent', (header) => {
  expect(readTraceparent(header)).toBeNull()
})

test('a sampler changes its own flag only', () => {
  expect(withSampled(`00-${TRACE}-${SPAN}-03`, false)).toBe(`00-${TRACE}-${SPAN}-02`)
  expect(withSampled(`00-${TRACE}-${SPAN}-00`, true)).toBe(`00-${TRACE}-${SPAN}-01`)
})

test('a line of the log names trace and span', () => {
  const fields = { trace_id: TRACE, span_id: SPAN }
  expect(traceFields(`00-${TRACE}-${SPAN}-00`)).toEqual(fields)
  expect(traceFields(null)).toEqual({})
})
