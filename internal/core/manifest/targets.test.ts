import { expect, test } from 'vitest'
import { parseManifest } from './manifest.ts'
import { withMeantTargets } from './targets.ts'

const faultsOf = (text: string): readonly string[] => {
  const result = parseManifest(text, 'app.yaml')
  return result.ok ? [] : result.faults.map(({ path, message }) => `${path}: ${message}`)
}

const ACTIONS = 'key: a\nactions: [{ key: greet, entrypoint: greet.ts }]\n'

test('a fault about a target names the one that was probably meant', () => {
  const flows = `flows:
  - key: report
    steps:
      - { key: x, action: gret }
      - { key: y, kind: subflow, subflow: repotr }
`
  const events = `events:
  - { name: a.b, action: Greet }
  - { name: a.c, action: other }
`
  expect(faultsOf(`${ACTIONS}${flows}${events}`)).toEqual([
    'app.yaml:6:19 flows[0].steps[0].action: there is no action "gret" in this app. Did you mean greet?',
    'app.yaml:7:34 flows[0].steps[1].subflow: there is no flow "repotr" in this app. Did you mean report?',
    'app.yaml:9:18 events[0].action: there is no action "Greet" in this app. Did you mean greet?',
    'app.yaml:10:18 events[1].action: there is no action "other" in this app.',
  ])
})

test('few of very many faults name what was meant', () => {
  const events = Array.from({ length: 200 }, (_, at) => `{ name: a.b${at}, action: gret }`).join()
  const meant = faultsOf(`${ACTIONS}events: [${events}]\n`).filter((fault) => fault.endsWith('?'))
  expect(meant).toHaveLength(10)
})

test('a fault that only mentions a missing target in its text gets no hint', () => {
  const fault = { path: ['key'], message: 'there is no action "gret" in this app' }
  const known = { actions: new Set(['greet']), flows: new Set<string>() }
  expect(withMeantTargets([fault], known)).toEqual([fault])
})
