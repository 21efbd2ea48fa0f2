import { describe, expect, it } from 'vitest'
import { actionDefinition } from '../../../test/support/action-definition.ts'
import type { JsonValue } from '../json/value.ts'
import { concurrencyLimitOf } from './concurrency-key.ts'
import type { ActionDefinition } from './definition.ts'

const action = (concurrency: ActionDefinition['concurrency']): ActionDefinition => ({
  ...actionDefinition('parse'),
  concurrency,
})

const slot = (key: string, input: JsonValue) =>
  concurrencyLimitOf({ ws: 'w', app: 'a', action: action({ limit: 5, key }) }, input)

describe('a concurrency key', () => {
  it('is absent without a limit', () => {
    expect(concurrencyLimitOf({ ws: 'w', app: 'a', action: action(null) }, {})).toBeNull()
  })

  it('contains the value of the input, under workspace, app and action', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
    expect(slot('${input.customer.id}', { customer: { id: 7 } })).toEqual({
      key: 'w/a/parse/7',
      limit: 5,
    })
  })

  it('may be one fixed text for all jobs of the action', () => {
    expect(slot('all', {})?.key).toBe('w/a/parse/all')
  })

  it('names what the input lacks', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
    expect(() => slot('${input.customer}', {})).toThrow(/must hold a text, number or boolean/)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
    expect(() => slot('${input.constructor}', {})).toThrow(/must hold/)
  })

  it('is not made of null, which is not the text "null"', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
    expect(() => slot('${input.customer}', { customer: null })).toThrow(/must hold a text/)
  })
})
