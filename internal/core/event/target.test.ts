import { expect, test } from 'vitest'
import { parseManifest } from '../manifest/manifest.ts'

const faultsOf = (events: string): readonly string[] => {
  const read = parseManifest(`key: shop\nevents: ${events}\n`, 'app.yaml')
  return read.ok ? [] : read.faults.map(({ path, message }) => `${path}: ${message}`)
}

test.each([
  ['action', '{ name: paid, action: none }'],
  ['flow', '{ name: paid, flow: none }'],
])('an event starts no %s that the app lacks', (kind, row) => {
  expect(faultsOf(`[${row}]`)).toEqual([
    expect.stringContaining(`events[0].${kind}: there is no ${kind} "none" in this app.`),
  ])
})

test('a missing target is reported together with the other faults of its event', () => {
  expect(faultsOf('[{ name: "Not a name", action: none }]')).toEqual([
    expect.stringContaining('events[0].name: '),
    expect.stringContaining('events[0].action: there is no action "none" in this app.'),
  ])
})

test('an event that starts the same target twice is a fault', () => {
  const row = '{ name: paid, action: none }'
  expect(faultsOf(`[${row}, ${row}]`)).toContainEqual(
    expect.stringContaining('events[1]: occurs twice: remove one.'),
  )
})
