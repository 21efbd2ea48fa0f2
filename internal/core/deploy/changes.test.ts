import { describe, expect, it } from 'vitest'
import { compareParts, type PartSources, partsOf } from './changes.ts'

const APP: PartSources = {
  manifest: {
    actions: [
      { key: 'greet', entrypoint: 'greet.ts' },
      { key: 'send', entrypoint: 'send.ts' },
    ],
    flows: [{ key: 'order' }],
    webhooks: [{ key: 'shop' }],
    events: [],
    schedules: [{ key: 'nightly' }],
  },
  bundleHashes: new Map([
    ['greet.ts', 'h1'],
    ['send.ts', 'h2'],
  ]),
  functionHashes: new Map([['hello', 'f1']]),
}

describe('the changes of a deployment', () => {
  it('are none when nothing is different', () => {
    const nothing = { added: [], changed: [], removed: [] }
    expect(compareParts(partsOf(APP), partsOf(APP))).toEqual(nothing)
  })

  it('are all additions for an app without a deployment', () => {
    const nothing = {
      action: new Map(),
      flow: new Map(),
      webhook: new Map(),
      event: new Map(),
      schedule: new Map(),
      function: new Map(),
    }
    expect(compareParts(nothing, partsOf(APP)).added).toEqual([
      { kind: 'action', key: 'greet' },
      { kind: 'action', key: 'send' },
      { kind: 'flow', key: 'order' },
      { kind: 'webhook', key: 'shop' },
      { kind: 'schedule', key: 'nightly' },
      { kind: 'function', key: 'hello' },
    ])
  })

  it('name what is new, what is different by code or manifest, and what goes', () => {
    const next: PartSources = {
      manifest: {
        actions: [{ key: 'greet', entrypoint: 'greet.ts' }],
        flows: [{ key: 'order', ...{ name: 'Orders' } }, { key: 'refund' }],
        webhooks: [{ key: 'shop', ...{ action: 'greet' } }],
        events: [],
        schedules: [{ key: 'weekly' }],
      },
      bundleHashes: new Map([['greet.ts', 'h9']]),
      functionHashes: new Map(),
    }
    expect(compareParts(partsOf(APP), partsOf(next))).toEqual({
      added: [
        { kind: 'flow', key: 'refund' },
        { kind: 'schedule', key: 'weekly' },
      ],
      changed: [
        { kind: 'action', key: 'greet' },
        { kind: 'flow', key: 'order' },
        { kind: 'webhook', key: 'shop' },
      ],
      removed: [
        { kind: 'action', key: 'send' },
        { kind: 'schedule', key: 'nightly' },
        { kind: 'function', key: 'hello' },
      ],
    })
  })
})
