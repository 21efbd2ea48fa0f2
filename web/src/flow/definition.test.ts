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

test('a value that is not a definition has no steps', () => {
  expect(readDefinition(null)).toEqual({ steps: [] })
  expect(readDefinition({ steps: [{ key: 'a', kind: 'unknown' }, 7] })).toEqual({ steps: [] })
})
