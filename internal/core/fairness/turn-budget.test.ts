import { expect, it } from 'vitest'
import { createTurnBudget } from './turn-budget.ts'

it('resumes those first that had no part of a turn, and gives each turn its whole time', () => {
  const turns: (() => void)[] = []
  const budget = createTurnBudget({ turnMs: 10, nextTurn: (act) => void turns.push(act) })
  const resumed: string[] = []
  budget.spend(6)
  expect(budget.isSpent()).toBe(false)
  budget.spend(6)
  expect(budget.isSpent()).toBe(true)
  budget.wait(() => void resumed.push('served'), true)
  budget.wait(() => void resumed.push('passed over'), false)
  expect([turns.length, resumed]).toEqual([1, []])
  turns.pop()?.()
  expect(resumed).toEqual(['passed over', 'served'])
  expect(budget.isSpent()).toBe(false)
})
