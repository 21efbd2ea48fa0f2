import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FormerDeployment, findUnneededDeployments } from './unneeded-deployments.ts'

const deployment = (createdAt: number, gitSourceId: string | null = null): FormerDeployment => ({
  id: `d${createdAt}`,
  createdAt,
  gitSourceId,
})

describe('unneeded deployments', () => {
  const deployments = [5, 4, 3, 2, 1].map((time) => deployment(time))
  const history = { deployments, currentId: 'd5', deletedAt: null }

  test('are those that were replaced long ago, beyond the newest', () => {
    const retention = { keep: 2, replacedBefore: 4, deletedBefore: 0 }
    expect(findUnneededDeployments(history, retention)).toEqual(['d2', 'd1'])
  })

  test('are not the current one and the newest of a git source', () => {
    const mixed = [deployment(4), deployment(3, 'a'), deployment(2, 'a'), deployment(1, 'b')]
    const unneeded = findUnneededDeployments(
      { deployments: mixed, currentId: 'd4', deletedAt: null },
      { keep: 1, replacedBefore: 9, deletedBefore: 0 },
    )
    expect(unneeded).toEqual(['d2'])
    expect(
      findUnneededDeployments(
        { ...history, currentId: 'd1' },
        { keep: 3, replacedBefore: 9, deletedBefore: 0 },
      ),
    ).toEqual(['d2'])
  })

  test('are all of an app that was deleted long ago, and none of one deleted since', () => {
    const deleted = { deployments, currentId: null, deletedAt: 7 }
    expect(
      findUnneededDeployments(deleted, { keep: 9, replacedBefore: 0, deletedBefore: 8 }),
    ).toHaveLength(5)
    expect(
      findUnneededDeployments(deleted, { keep: 1, replacedBefore: 9, deletedBefore: 7 }),
    ).toEqual([])
    const deletedAgain = { ...deleted, deletedAt: 2 }
    expect(
      findUnneededDeployments(deletedAgain, { keep: 1, replacedBefore: 0, deletedBefore: 4 }),
    ).toHaveLength(3)
  })

  test('never include one of the newest, the current one, or one that was in use since', () => {
    const lists = fc.array(
      fc.record({ gap: fc.integer({ min: 0, max: 9 }), git: fc.option(fc.constantFrom('a', 'b')) }),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(lists, fc.nat(20), fc.nat(20), fc.nat(120), (gaps, at, keep, replacedBefore) => {
        let time = 0
        const oldestFirst = gaps.map(({ gap, git }, index) => {
          time += gap
          return { id: String(index), createdAt: time, gitSourceId: git }
        })
        const newestFirst = oldestFirst.toReversed()
        const currentId = newestFirst[at]?.id ?? null
        const unneeded = findUnneededDeployments(
          { deployments: newestFirst, currentId, deletedAt: null },
          { keep, replacedBefore, deletedBefore: 0 },
        )
        for (const id of unneeded) {
          const index = Number(id)
          expect(id).not.toBe(currentId)
          expect(oldestFirst.length - 1 - index).toBeGreaterThanOrEqual(keep)
          expect(oldestFirst[index + 1]?.createdAt).toBeLessThan(replacedBefore)
        }
      }),
    )
  })
})
