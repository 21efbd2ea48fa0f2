import { expect, test } from 'vitest'
import { compareDeployments } from './compare-deployments.ts'

const version = (actions: Record<string, [timeoutS: number, code: string]>, flows: string[]) => ({
  manifest: {
    key: 'a',
    name: 'A',
    actions: Object.entries(actions).map(([key, [timeoutS]]) => ({
      key,
      entrypoint: `${key}.ts`,
      timeoutS,
    })),
    flows: flows.map((key) => ({ key })),
  },
  code: Object.fromEntries(Object.entries(actions).map(([key, [, code]]) => [`${key}.ts`, code])),
})

test('shows what was added and removed, and whether manifest or code changed', () => {
  const base = version(
    { same: [1, 'x'], gone: [1, 'x'], slower: [1, 'x'], mended: [1, 'x'], anew: [1, 'x'] },
    ['kept', 'old'],
  )
  const target = version(
    { same: [1, 'x'], slower: [9, 'x'], mended: [1, 'y'], anew: [9, 'y'], come: [1, 'x'] },
    ['kept'],
  )
  expect(compareDeployments(base, target)).toEqual([
    { kind: 'action', key: 'anew', how: 'both' },
    { kind: 'action', key: 'come', how: 'added' },
    { kind: 'action', key: 'gone', how: 'removed' },
    { kind: 'action', key: 'mended', how: 'code' },
    { kind: 'action', key: 'slower', how: 'manifest' },
    { kind: 'flow', key: 'old', how: 'removed' },
  ])
  expect(compareDeployments(base, base)).toEqual([])
})
