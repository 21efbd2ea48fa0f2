import { expect, test } from 'vitest'
import { readDefinition } from './definition.ts'

test('a definition is read with its defaults, and its failure module is last', () => {
  const { steps } = readDefinition({
    key: 'refund',
    steps: [
      { key: 'look', kind: 'action', action: 'find', retry: { maxAttempts: 3 }, skipIf: ' ' },
      {
        key: 'ask',
        kind: 'approval',
        approval: {
          requiredEvents: 2,
          timeoutS: 60,
          resumeForm: [
            { key: 'why', label: 'Why', type: 'text', required: true },
            { key: 'how', type: 'select', options: ['a', 'b'] },
            { key: 'odd', type: 'colour' },
          ],
        },
      },
      { key: 'pick', kind: 'branchone', branches: [{ key: 'a', condition: '', action: 'go' }] },
    ],
    failureModule: { key: 'tell', action: 'mail' },
  })
  expect(steps.map(({ key, kind, target }) => [key, kind, target])).toEqual([
    ['look', 'action', 'find'],
    ['ask', 'approval', null],
    ['pick', 'branchone', null],
    ['tell', 'failure_module', 'mail'],
  ])
  expect(steps[0]).toMatchObject({ maxAttempts: 3, skipIf: null, approval: null })
  expect(steps[1]?.approval).toEqual({
    requiredEvents: 2,
    timeoutS: 60,
    allowSelfApproval: false,
    form: [
      { key: 'why', label: 'Why', type: 'text', required: true },
      { key: 'how', label: 'how', type: 'select', required: false, options: ['a', 'b'] },
    ],
  })
  expect(steps[2]?.arms).toEqual([{ key: 'a', condition: null, action: 'go', input: undefined }])
})

test('undo actions come behind the steps, those of later steps first', () => {
  const undo = { action: 'back' }
  const { steps } = readDefinition({
    steps: [
      { key: 'a', action: 'x', undo },
      { key: 'b', action: 'x', undo: { action: 'refund', input: 1, retry: { maxAttempts: 2 } } },
    ],
    failureModule: { key: 'tell', action: 'mail', input: { why: 2 } },
  })
  expect(steps.slice(2)).toMatchObject([
    { key: 'undo:b', kind: 'undo', target: 'refund', input: 1, maxAttempts: 2 },
    { key: 'undo:a', kind: 'undo', target: 'back', input: undefined },
    { key: 'tell', kind: 'failure_module', input: { why: 2 } },
  ])
})

test('a value that is not a definition has no steps', () => {
  expect(readDefinition(null)).toMatchObject({ steps: [] })
  expect(readDefinition({ steps: [{ key: 'a', kind: 'unknown' }, 7] })).toMatchObject({ steps: [] })
})
