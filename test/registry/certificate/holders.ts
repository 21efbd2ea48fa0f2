import { causeBefore } from './cancellation.ts'
import type { Draft } from './draft.ts'
import { addEntry, isAlive } from './entry.ts'
import { makeAddress } from './people.ts'
import { type Paragraph, run, runsOf } from './text.ts'

/**
 * `2번등기명의인표시변경`: the address of an owner changed. Some prints strike the old address, some (several owners with the same
 * address) leave it.
 */
export const changeHolder = (draft: Draft): void => {
  const holding = draft.holdings.find(({ address }) => address !== '')
  const entry = holding?.entries[0]
  if (holding === undefined || entry === undefined || !isAlive(entry)) return
  const isCorrection = draft.wants('holder_correction', 0.3)
  if (!isCorrection) draft.cases.add('holder_address_change')
  const receipt = draft.receive()
  const value = makeAddress(draft)
  const paragraph: Paragraph = {
    runs: [run(`${holding.name}의 주소`), run(value)],
    indent: 0,
    hang: 10,
  }
  const by = addEntry(draft, 'a', {
    parent: entry,
    purposes: [
      {
        printed: `${entry.rank}번등기명의인표시${isCorrection ? '경정' : '변경'}`,
        right: '등기명의인표시변경',
        action: isCorrection ? '경정' : '변경',
        target: entry.rank,
        targetOwner: null,
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, isCorrection ? '신청착오' : '전거'),
    blocks: [[[paragraph]]],
  })
  // whether the new address makes a person of its own is open
  delete by.content.persons
  entry.modifications.push({ by, truth: { type: isCorrection ? 'correct' : 'change' } })
  if (draft.random.chance(0.7)) strikeAddress(entry, holding.name)
  draft.holdings = draft.holdings.map((each) =>
    each === holding ? { ...each, address: value } : each,
  )
}

const strikeAddress = (entry: Parameters<typeof isAlive>[0], name: string): void => {
  const person = entry.content.persons?.find((each) => each.name === name)
  const old = person?.address
  if (person === undefined || typeof old !== 'string') return
  const runs = entry.band.parts.flatMap((part) => part.blocks.flatMap(runsOf))
  const index = runs.findIndex((each) => each.text === name)
  const address = runs.slice(index).find((each) => each.text === old)
  if (address === undefined) return
  address.struck = true
  delete person.address
}
